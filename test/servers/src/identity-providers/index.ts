/** Providers of identities: stand-ins of those that cannot be reached from here. */
export { appleTeam, createAppleStandIn } from './apple.ts';
export { createDiscordStandIn } from './discord.ts';
export { createEntraStandIn, entraIssuer } from './entra.ts';
export { createFacebookStandIn } from './facebook.ts';
export { createGitHubStandIn } from './github.ts';
export { createGitLabStandIn } from './gitlab.ts';
export { createGoogleStandIn } from './google.ts';
export type { IdentityStandIn, RegisteredClient } from './identity-stand-in.ts';
export { createLinkedInStandIn } from './linkedin.ts';
export { openTestOpenIdProvider, type TestOpenIdProvider } from './openid-provider.ts';
