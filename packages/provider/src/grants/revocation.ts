import type { Redemptions } from '../flow/redemptions.ts';
import { invalidGrant } from '../oauth-error.ts';
import type { StoppedCommit } from '../storage/stopped-commit.ts';
import type { RequestStore } from './grant.ts';
import { unforeseen } from './request-store.ts';

/**
 * A code or refresh token was used again: revokes everything that was issued for its grant (RFC 6749, sections 4.1.2 and
 * 10.4).
 *
 * @throws {OAuthError} `invalid_grant`, always
 */
export const refuseReuse = async (
  store: RequestStore,
  { redemptions }: { readonly redemptions: Pick<Redemptions, 'revocation'> },
  grantId: string | undefined,
): Promise<never> => {
  if (grantId !== undefined) await store.commit(redemptions.revocation(grantId));
  throw invalidGrant();
};

/** The error for a grant that was revoked while its tokens were being issued. */
export const revokedMeanwhile = (stopped: StoppedCommit): Error => {
  const { write } = stopped.conflict;
  const isGrant =
    (write.type === 'put' && write.record.kind === 'grant') || (write.type === 'merge' && write.key.kind === 'grant');
  return isGrant ? invalidGrant() : unforeseen(stopped);
};
