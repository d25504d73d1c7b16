import type { StoredRecord, Write } from '@carnet/adapter-contract';
import { recordId } from '../storage/record-id.ts';

/**
 * What may be played again is remembered this much longer than it can be. A day: a process whose clock is wrong by hours
 * must neither write a mark that ends before what it guards, nor sweep one away.
 */
export const replayMarginSeconds = 86_400;

/** Which grants had their code redeemed: of all the codes that a flow's verifiers can be turned into, one is. */
export interface Redemptions {
  /** To be claimed with the tokens. It outlives every code of the flow. */
  record(grantId: string, clientId?: string): StoredRecord;
  /**
   * Takes back all that came of a grant. Every revocation is made of this: `revoke` alone would remove the mark as
   * well, and the code, or the next one of a verifier that is played again, would be as good as new.
   */
  revocation(grantId: string): readonly Write[];
}

export interface RedemptionOptions {
  /** Seconds. */
  readonly ttl: { readonly loginConsentRequest: number; readonly authCode: number; readonly deviceUserCode: number };
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export const createRedemptions = ({ ttl, now }: RedemptionOptions): Redemptions => {
  // Each of a flow's two steps can be played again until it expires, the first at the end of its time, the second at
  // the end of what that begins; then there is a code.
  const codeSeconds = 2 * ttl.loginConsentRequest + ttl.authCode;
  // A device's code can be redeemed for as long as it is good, however soon it was the first time.
  const lifetimeSeconds = Math.max(codeSeconds, ttl.deviceUserCode) + replayMarginSeconds;

  const record: Redemptions['record'] = (grantId, clientId) => ({
    kind: 'authorization_code',
    id: recordId(grantId),
    grantId,
    payload: '{}',
    clientId,
    expiresAt: new Date(now() + lifetimeSeconds * 1000),
  });

  return {
    record,
    revocation: (grantId) => [
      { type: 'revoke', grantId },
      { type: 'put', record: record(grantId) },
    ],
  };
};
