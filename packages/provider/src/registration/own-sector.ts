import type { RegisteredMetadata } from '../clients/client-schema.ts';
import { grantTypes } from '../clients/grant-types.ts';
import { hostOf, sectorOf } from '../clients/subject-identifiers.ts';
import { fieldError } from '../errors.ts';

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
export const assertOwnSector = (metadata: RegisteredMetadata, current?: RegisteredMetadata): void => {
  if (!needsProof(metadata)) return;
  const sector = sectorOf(metadata);
  if (current !== undefined && needsProof(current) && sectorOf(current) === sector) return;
  if (byKeys.includes(metadata.token_endpoint_auth_method) && hostOf(metadata.jwks_uri) === sector) return;
  throw fieldError(
    'subject_type',
    'can be pairwise, for these grant_types, if jwks_uri is at the host of the sector and the client authenticates with its keys.',
  );
};
