import type { Write } from '@carnet/adapter-contract';
import { recordId } from '../storage/record-id.ts';
import { currentState } from './request-state.ts';

/**
 * Seconds. oidc-provider accepts DPoP proofs with an `iat` up to this far ahead of its clock, but computes the lifetime
 * of a `jti` from now. A `jti` is therefore kept for this much longer.
 */
const maxAheadSeconds = 300;

/** The claim that lets a `jti` be used once. @param nowMs milliseconds since 1970 */
export const replayClaim = (id: string, ttlSeconds: number, nowMs: number): Write => ({
  type: 'claim',
  record: {
    kind: 'replay',
    id: recordId(id),
    payload: '{}',
    expiresAt: new Date(nowMs + (Math.max(1, ttlSeconds) + maxAheadSeconds) * 1000),
  },
});

const nothing = async (): Promise<undefined> => undefined;

/**
 * The storage of oidc-provider's models. It stores none but the `jti` of client assertions, whose single use is a claim
 * (D6), which holds even if the request fails.
 */
export const createModelStorage = (now: () => number) => {
  const upsert = async (id: string, _payload: unknown, ttlSeconds: number): Promise<void> =>
    currentState().uow.write(replayClaim(id, ttlSeconds, now()));
  return (name: string) => ({
    upsert: name === 'ReplayDetection' ? upsert : nothing,
    find: nothing,
    findByUid: nothing,
    findByUserCode: nothing,
    consume: nothing,
    destroy: nothing,
    revokeByGrantId: nothing,
  });
};
