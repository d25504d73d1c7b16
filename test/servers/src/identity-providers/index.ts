/** Providers of identities: stand-ins of those that cannot be reached from here. */
export { createEntraStandIn, entraIssuer } from './entra.ts';
export { createGitHubStandIn } from './github.ts';
export { createGoogleStandIn } from './google.ts';
export type { IdentityStandIn, RegisteredClient } from './identity-stand-in.ts';
export { openTestOpenIdProvider, type TestOpenIdProvider } from './openid-provider.ts';
