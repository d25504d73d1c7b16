import type { ClientRecord, OpenResource } from '../clients/client-record.ts';
import type { RegisteredMetadata } from '../clients/client-schema.ts';
import { grantTypes } from '../clients/grant-types.ts';
import { hostOf, sectorOf } from '../clients/subject-identifiers.ts';
import { CarnetError, fieldError } from '../errors.ts';
import { spaceDelimited } from '../text/space-delimited.ts';
import type { DynamicClientRegistrationConfig } from './config.ts';

/** Grant types that issue tokens without a redirect URI. */
const withoutRedirect: readonly string[] = [grantTypes.deviceCode, grantTypes.ciba, grantTypes.tokenExchange];
/** Methods that prove who controls the `jwks_uri`. */
const byKeys = ['private_key_jwt', 'self_signed_tls_client_auth'];

const needsProof = ({ subject_type, redirect_uris, grant_types }: RegisteredMetadata): boolean =>
  subject_type === 'pairwise' &&
  (redirect_uris.length === 0 || grant_types.some((type) => withoutRedirect.includes(type)));

/**
 * Pairwise subjects keep clients of different hosts from comparing what they know about users. A client that gets its tokens
 * by a redirect proves its sector, because the tokens are sent there. Any other client could name a foreign sector. Safe
 * because such a client authenticates with the keys that the host of its sector publishes (CIBA Core 1.0, section 4).
 * @throws CarnetError `invalid_client_metadata`
 */
const assertOwnSector = (metadata: RegisteredMetadata, current?: RegisteredMetadata): void => {
  if (!needsProof(metadata)) return;
  const sector = sectorOf(metadata);
  if (current !== undefined && needsProof(current) && sectorOf(current) === sector) return;
  if (byKeys.includes(metadata.token_endpoint_auth_method) && hostOf(metadata.jwks_uri) === sector) return;
  throw fieldError(
    'subject_type',
    'can be pairwise, for these grant_types, if jwks_uri is at the host of the sector and the client authenticates with its keys.',
  );
};

/** The limits of dynamic registration. An absent list allows all values. */
export type RegistrationLimits = Pick<
  DynamicClientRegistrationConfig,
  'allowedScopes' | 'allowedGrantTypes' | 'allowedRedirectHosts'
>;

/** A resource (RFC 8707) of the configuration, as far as clients that register themselves are concerned. */
export interface RegistrableResource extends OpenResource {
  readonly isOpen: boolean;
}

/** The terms for a client that describes itself, by registration or by a metadata document. */
export type RegistrationTerms = ReturnType<typeof registrationTerms>;

/** The terms of the configuration. Scopes of resources that such clients may use need not be listed in `allowedScopes`. */
export const registrationTerms = (
  config: DynamicClientRegistrationConfig,
  resources: readonly RegistrableResource[],
) => {
  const { allowedScopes, defaultAudience: audience } = config;
  const isDefault = ({ identifier }: OpenResource): boolean => audience.includes(identifier);
  const usable = resources.filter((resource) => resource.isOpen || isDefault(resource));
  const limits: RegistrationLimits = {
    ...config,
    allowedScopes: allowedScopes && [...allowedScopes, ...usable.flatMap(({ scopes }) => scopes)],
  };
  return {
    limits,
    /** The values of members that a client does not name. */
    defaults: {
      scope: config.defaultScope.filter((scope) => allowedScopes?.includes(scope) ?? true),
      audience,
      /** The scopes that a client with the default audience gets in addition to its own. */
      audienceScopes: resources.filter(isDefault).flatMap(({ scopes }) => scopes),
    },
  };
};

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

/** Whether each requested item is current or allowed. An administrator may have granted a client more than is allowed. */
const areWithin = (
  asked: readonly string[],
  current: readonly string[] = [],
  isAllowed: (item: string) => boolean = () => false,
): boolean => asked.every((item) => current.includes(item) || isAllowed(item));

const assertListed = (
  field: 'scope' | 'grant_types',
  asked: readonly string[],
  current: readonly string[] | undefined,
  allowed: readonly string[] | undefined,
): void => {
  if (allowed === undefined || areWithin(asked, current, (item) => allowed.includes(item))) return;
  throw fieldError(field, `must only have values of ${allowed.join(', ')}: clients may not register others.`);
};

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
    if (!areWithin(asked, before[field])) {
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
    assertListed('scope', spaceDelimited(metadata.scope), current && spaceDelimited(current.scope), allowedScopes);
    assertListed('grant_types', metadata.grant_types, current?.grant_types, allowedGrantTypes);
    if (current !== undefined) assertReach(metadata, current, (type) => allowedGrantTypes.includes(type));
    assertOwnSector(metadata, current);
    const uris = [...metadata.redirect_uris, ...(metadata.post_logout_redirect_uris ?? [])];
    const known = current && [...current.redirect_uris, ...(current.post_logout_redirect_uris ?? [])];
    if (allowedRedirectHosts && !areWithin(uris, known, (uri) => isHostAllowed(uri, allowedRedirectHosts)))
      throw fieldError('redirect_uris', 'names a host that clients may not register.');
    const refusal = await hook?.({ metadata, current });
    if (refusal !== undefined) throw new CarnetError('invalid_client_metadata', refusal);
  };
};
