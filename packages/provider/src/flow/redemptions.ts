import type { StoredRecord, Write } from '@carnet/adapter-contract';
import type { Clock } from '../clock.ts';
import { recordId } from '../storage/record-id.ts';

/**
 * The time for which a record against replays outlives the last moment of a replay. A day: a process whose clock is
 * wrong by hours must neither write a record that expires too early, nor remove one that is still needed.
 */
export const replayMarginSeconds = 86_400;

interface RedemptionOptions extends Clock {
  /** Seconds. */
  readonly ttl: { readonly loginConsentRequest: number; readonly authCode: number; readonly deviceUserCode: number };
}

/** Redemption records: of all codes that a flow's verifiers lead to, only one can be redeemed. */
export const createRedemptions = ({ ttl, now }: RedemptionOptions) => {
  // Each of the two steps of a flow can be replayed until it expires: the first one at the end of its time, then the
  // second one at the end of its own. The code is issued after that.
  const codeSeconds = 2 * ttl.loginConsentRequest + ttl.authCode;
  // A device code can be replayed during its whole lifetime, even if it was redeemed early.
  const lifetimeSeconds = Math.max(codeSeconds, ttl.deviceUserCode) + replayMarginSeconds;

  /** The redemption record of a grant. Claim it in the commit of the tokens. It outlives every code of the flow. */
  const record = (grantId: string, clientId?: string): StoredRecord => ({
    kind: 'authorization_code',
    id: recordId(grantId),
    grantId,
    payload: '{}',
    clientId,
    expiresAt: new Date(now() + lifetimeSeconds * 1000),
  });

  return {
    record,
    /**
     * Revokes a grant and all its tokens. Every revocation must use these writes: `revoke` alone also removes the
     * redemption record, so that the code, or the code of a replayed verifier, could be redeemed again.
     */
    revocation: (grantId: string): readonly Write[] => [
      { type: 'revoke', grantId },
      { type: 'put', record: record(grantId) },
    ],
  };
};

export type Redemptions = ReturnType<typeof createRedemptions>;
