import type { ClientRecord } from '../clients/client-record.ts';
import type { RegisteredMetadata } from '../clients/client-schema.ts';
import { CarnetError, fieldError } from '../errors.ts';
import { spaceDelimited } from '../text/space-delimited.ts';
import { assertOwnSector } from './own-sector.ts';

/** What clients may register themselves for. A list that is absent allows everything. */
export interface RegistrationLimits {
  readonly allowedScopes?: readonly string[];
  readonly allowedGrantTypes: readonly string[];
  /** Hosts, `*.` before those whose subdomains are meant, and schemes of native apps (`com.example.app:`). */
  readonly allowedRedirectHosts?: readonly string[];
}

/** A program's own say: why this may not be registered, or nothing. */
export type RegistrationHook = (asked: {
  readonly metadata: RegisteredMetadata;
  /** What the client is today, when it changes itself. */
  readonly current?: RegisteredMetadata;
}) => string | undefined | Promise<string | undefined>;

export type RegistrationPolicy = (metadata: RegisteredMetadata, current?: ClientRecord) => Promise<void>;

/** Hosts may begin with `*.`, which stands for their subdomains. */
export const isHostAllowed = (uri: string, allowed: readonly string[]): boolean => {
  const { protocol, hostname } = new URL(uri);
  if (protocol !== 'https:' && protocol !== 'http:') return allowed.includes(protocol);
  return allowed.some((host) => (host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host));
};

/** What is asked for beyond what is there and what is allowed. An administrator may have allowed a client more. */
const beyond = (
  asked: readonly string[],
  current: readonly string[] = [],
  allowed: (item: string) => boolean,
): string | undefined => asked.find((item) => !current.includes(item) && !allowed(item));

/** What no limit here would stop, as somebody else decides it: a consent that is skipped decides nothing. */
const reachOf = (metadata: RegisteredMetadata): Readonly<Record<string, readonly string[]>> => ({
  scope: spaceDelimited(metadata.scope),
  audience: metadata.audience,
  authorization_details_types: metadata.authorization_details_types ?? [],
});

/**
 * A client that administrators have let go without a person's consent, or given a grant type that clients may not
 * register, reaches what they have said, and widens none of it by itself.
 */
const assertReach = (
  metadata: RegisteredMetadata,
  current: RegisteredMetadata,
  isGranted: (type: string) => boolean,
): void => {
  if (current.subject_type === 'pairwise' && metadata.subject_type !== 'pairwise') {
    throw fieldError('subject_type', 'must stay pairwise.');
  }
  if (!current.skip_consent && current.grant_types.every(isGranted)) return;
  const before = reachOf(current);
  for (const [field, asked] of Object.entries(reachOf(metadata))) {
    if (beyond(asked, before[field], () => false) !== undefined) {
      throw fieldError(field, 'names what only an administrator may add to this client.');
    }
  }
};

/**
 * Limits on what clients register themselves for.
 * @returns what throws CarnetError `invalid_client_metadata`
 */
export const createRegistrationPolicy = (limits: RegistrationLimits, hook?: RegistrationHook): RegistrationPolicy => {
  const { allowedScopes, allowedGrantTypes, allowedRedirectHosts } = limits;
  return async (metadata, record) => {
    const current = record?.metadata;
    const scope = beyond(
      spaceDelimited(metadata.scope),
      current && spaceDelimited(current.scope),
      (one) => allowedScopes === undefined || allowedScopes.includes(one),
    );
    if (scope !== undefined) {
      throw fieldError('scope', `must be of ${allowedScopes?.join(', ')}: clients may not register others.`);
    }
    const isGranted = (type: string): boolean => allowedGrantTypes.includes(type);
    const grantType = beyond(metadata.grant_types, current?.grant_types, isGranted);
    if (grantType !== undefined) {
      throw fieldError('grant_types', `must be of ${allowedGrantTypes.join(', ')}: clients may not register others.`);
    }
    if (current !== undefined) assertReach(metadata, current, isGranted);
    assertOwnSector(metadata, current);
    const uris = [...metadata.redirect_uris, ...(metadata.post_logout_redirect_uris ?? [])];
    const known = current && [...current.redirect_uris, ...(current.post_logout_redirect_uris ?? [])];
    const isAllowed = (uri: string): boolean =>
      allowedRedirectHosts === undefined || isHostAllowed(uri, allowedRedirectHosts);
    if (beyond(uris, known, isAllowed) !== undefined) {
      throw fieldError('redirect_uris', 'names a host that clients may not register.');
    }
    const refusal = await hook?.({ metadata, current });
    if (refusal !== undefined) throw new CarnetError('invalid_client_metadata', refusal);
  };
};
