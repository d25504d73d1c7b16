import { randomUUID } from 'node:crypto';
import type { ClientRecord } from '../clients/client-record.ts';
import type { Clock } from '../clock.ts';
import { createSignJwt } from '../keys/signing/sign-jwt.ts';
import type { SigningAlgorithm } from '../keys/signing/signer.ts';
import type { SigningKeys } from '../keys/signing/signing-keys.ts';
import type { PendingLogout } from './delivery-record.ts';

/** The lifetime of a logout token (Back-Channel Logout 1.0, section 2.4: two minutes or less). */
const lifetimeSeconds = 120;
const event = 'http://schemas.openid.net/event/backchannel-logout';

export interface LogoutTokenOptions extends Clock {
  readonly issuer: string;
  /** For clients that have chosen none. */
  readonly alg: SigningAlgorithm;
  readonly keys: () => Pick<SigningKeys, 'signerFor'>;
}

/**
 * Signs logout tokens (Back-Channel Logout 1.0, section 2.4): with the algorithm of the client's ID tokens, at the time
 * of sending. They have a type of their own and no `nonce`, so that none passes as an ID token.
 */
export const createLogoutTokenSigner =
  ({ issuer, alg, keys, now }: LogoutTokenOptions) =>
  async (
    { id, metadata }: Pick<ClientRecord, 'id' | 'metadata'>,
    { sid, subject }: Pick<PendingLogout, 'sid' | 'subject'>,
  ): Promise<string> => {
    const chosen = (metadata.id_token_signed_response_alg ?? alg) as SigningAlgorithm;
    const signer = keys().signerFor(chosen);
    if (signer === undefined) throw new TypeError(`no signing key for ${chosen}`);
    const iat = Math.floor(now() / 1000);
    const claims = {
      iss: issuer,
      aud: id,
      iat,
      exp: iat + lifetimeSeconds,
      jti: randomUUID(),
      events: { [event]: {} },
      sid,
      // The subject for a pairwise client may be set by the grant (`force_subject_identifier`).
      sub: metadata.subject_type === 'pairwise' ? undefined : subject,
    };
    return createSignJwt(signer, { typ: 'logout+jwt' })(claims);
  };

export type SignLogoutToken = ReturnType<typeof createLogoutTokenSigner>;
