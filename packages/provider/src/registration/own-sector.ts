import type { RegisteredMetadata } from '../clients/client-schema.ts';
import { hostOf, sectorOf } from '../clients/subject-identifiers.ts';
import { CarnetError } from '../errors.ts';

/** Grant types whose tokens take no way through a redirect URI. */
const withoutRedirect = [
  'urn:ietf:params:oauth:grant-type:device_code',
  'urn:openid:params:grant-type:ciba',
  'urn:ietf:params:oauth:grant-type:token-exchange',
];
/** Methods that prove whose `jwks_uri` it is. */
const byKeys = ['private_key_jwt', 'self_signed_tls_client_auth'];

const needsProof = ({ subject_type, redirect_uris, grant_types }: RegisteredMetadata): boolean =>
  subject_type === 'pairwise' &&
  (redirect_uris.length === 0 || grant_types.some((type) => withoutRedirect.includes(type)));

/**
 * Pairwise subjects keep clients of different hosts from comparing what they know of people. A client whose tokens come by
 * a redirect has them sent to its sector; any other could name somebody else's. Safe because it authenticates with the
 * keys that the host of its sector publishes (CIBA Core 1.0, section 4).
 * @throws CarnetError `invalid_client_metadata`
 */
export const assertOwnSector = (metadata: RegisteredMetadata, current?: RegisteredMetadata): void => {
  if (!needsProof(metadata)) return;
  const sector = sectorOf(metadata);
  if (current !== undefined && needsProof(current) && sectorOf(current) === sector) return;
  if (byKeys.includes(metadata.token_endpoint_auth_method) && hostOf(metadata.jwks_uri) === sector) return;
  throw new CarnetError(
    'invalid_client_metadata',
    'Field subject_type can be pairwise, for these grant_types, if jwks_uri is at the host of the sector and the client authenticates with its keys.',
  );
};
