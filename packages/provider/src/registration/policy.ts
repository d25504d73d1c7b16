import type { ClientRecord } from '../clients/client-record.ts';
import type { RegisteredMetadata } from '../clients/client-schema.ts';
import { CarnetError, fieldError } from '../errors.ts';
import { spaceDelimited } from '../text/space-delimited.ts';
import { assertOwnSector } from './own-sector.ts';

/** The limits of dynamic registration. An absent list allows all values. */
export interface RegistrationLimits {
  readonly allowedScopes?: readonly string[];
  readonly allowedGrantTypes: readonly string[];
  /** Hosts, `*.` and a host for its subdomains, and schemes of native apps (`com.example.app:`). */
  readonly allowedRedirectHosts?: readonly string[];
}

/** The policy of the application. Returns why the metadata may not be registered, or undefined. */
export type RegistrationHook = (asked: {
  readonly metadata: RegisteredMetadata;
  /** The current registration, if the client changes itself. */
  readonly current?: RegisteredMetadata;
}) => string | undefined | Promise<string | undefined>;

export type RegistrationPolicy = (metadata: RegisteredMetadata, current?: ClientRecord) => Promise<void>;

/** Hosts may begin with `*.`, which matches their subdomains. */
export const isHostAllowed = (uri: string, allowed: readonly string[]): boolean => {
  const { protocol, hostname } = new URL(uri);
  if (protocol !== 'https:' && protocol !== 'http:') return allowed.includes(protocol);
  return allowed.some((host) => (host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host));
};

/** The first requested item that is neither current nor allowed. An administrator may have granted a client more. */
const beyond = (
  asked: readonly string[],
  current: readonly string[] = [],
  allowed: (item: string) => boolean,
): string | undefined => asked.find((item) => !current.includes(item) && !allowed(item));

/** The members that the user's consent limits otherwise. If the consent is skipped, no consent limits them. */
const reachOf = (metadata: RegisteredMetadata): Readonly<Record<string, readonly string[]>> => ({
  scope: spaceDelimited(metadata.scope),
  audience: metadata.audience,
  authorization_details_types: metadata.authorization_details_types ?? [],
});

/**
 * A client that skips consent, or has a grant type that clients cannot register, cannot extend these members itself.
 * Only administrators can.
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
      throw fieldError(field, 'has a value that only an administrator may add to this client.');
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
      throw fieldError(
        'scope',
        `must only have values of ${allowedScopes?.join(', ')}: clients may not register others.`,
      );
    }
    const isGranted = (type: string): boolean => allowedGrantTypes.includes(type);
    const grantType = beyond(metadata.grant_types, current?.grant_types, isGranted);
    if (grantType !== undefined) {
      throw fieldError(
        'grant_types',
        `must only have values of ${allowedGrantTypes.join(', ')}: clients may not register others.`,
      );
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
