import { createHash } from 'node:crypto';
import { notSupported } from '../accounts-error.ts';
import type { ProviderOperations } from '../api/providers.ts';
import type { Claims } from '../directory/index.ts';
import type { ProviderOptions } from '../options.ts';
import { chooseOrganization } from '../organizations/choose-organization.ts';
import { assuranceOf } from '../second-factors/policy/acr.ts';
import { shownUser } from '../users/shown-user.ts';
import { authTimeOf, verifiedBy } from './assurance.ts';
import { issuerOf } from './bind-issuers.ts';
import { createList } from './choose-provider.ts';
import { withoutProviders } from './off.ts';
import { createFlows, type FlowDependencies } from './open-federation.ts';
import type { UpstreamUser } from './port.ts';
import { provesAddress } from './provider.ts';
import { createVerifyAnswer, logFailure, signInAt } from './verify-answer.ts';

/**
 * The subject of a user of a provider. It is the same for ever, as long as the name and the issuer of the provider are. Clients
 * do not see the subject at the provider.
 */
const subjectOf = (provider: ProviderOptions, { subject }: UpstreamUser): string => {
  const { name } = provider;
  const hash = createHash('sha256').update(`${name}\0${issuerOf(provider)}\0${subject}`);
  return `${name}.${hash.digest('base64url')}`;
};

/** The claims of the user. The address is verified only if the provider can prove addresses of its domain. */
const claimsOf = (
  { claims, mapped, email, emailVerified }: UpstreamUser,
  isProved: (address: string) => boolean,
): Claims => {
  const own = Object.entries({ ...claims, ...mapped }).filter(([, value]) => value !== null);
  const address = email !== undefined && { email, email_verified: emailVerified && isProved(email) };
  return { ...Object.fromEntries(own), ...address };
};

/**
 * Sign-in with providers alone, without directories and without a database: each user whom a provider has authenticated is signed
 * in, and nothing is stored.
 */
export const createBroker = (parts: FlowDependencies): ProviderOperations => {
  const { providers, emit, dependencies } = parts;
  const { organizations } = parts.options;
  const { logger, now } = dependencies;
  const configured = providers.map(({ options }) => options);
  const { begin, metadata, read, ...flows } = createFlows(parts);
  const list = createList(configured, organizations);
  const verify = createVerifyAnswer({ ...flows, emit, logger });
  return {
    ...withoutProviders,
    list: async (input) => {
      const listed = await list(input);
      // The only way to sign in: a page has nothing to ask.
      return configured.length === 1 ? { ...listed, only: configured[0]?.name } : listed;
    },
    begin: async (input) => {
      if (input.subject !== undefined) throw notSupported('Linked identities', 'Set accounts.database.');
      return begin(input);
    },
    metadata,
    read,
    finish: async (input) => {
      const answered = await verify(input);
      if ('state' in answered) return answered;
      const { provider, user, flow } = answered;
      const { options } = provider;
      const subject = subjectOf(options, user);
      const audited = { ...signInAt(provider), subject };
      // Users have no factor here that could prove a sign-in as recent as the request asked for.
      if (!user.isFresh) {
        logFailure(logger, 'info', { provider: options.name, reason: 'not_fresh' });
        await emit({ ...audited, result: 'provider_failed', reason: 'not_fresh' });
        return { state: 'provider_failed' };
      }
      const claims = claimsOf(user, (address) => provesAddress(configured, options, address));
      const { acr, amr } = assuranceOf([verifiedBy(options, user)]);
      // The provider decides: it belongs to one organization at most (`organizationRules`).
      const choice = chooseOrganization(organizations, { providers: [options.name], groups: [] }, input);
      const state = choice.state === 'not_member' ? choice.state : 'done';
      await emit({ ...audited, result: state });
      if (state === 'not_member') return { state };
      const organization = choice.state === 'one' && { organization: choice.organization.name };
      const authTime = authTimeOf(user, flow, now());
      const signedIn = { user: shownUser({ subject, claims }), subject, acr, amr: [...amr], authTime, claims };
      return { state, ...signedIn, provider: options.name, ...organization };
    },
  };
};
