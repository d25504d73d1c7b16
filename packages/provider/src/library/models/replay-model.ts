import type { Write } from '@carnet/adapter-contract';
import { recordId } from '../../storage/record-id.ts';
import { currentState } from '../request-state.ts';
import { type ModelAdapter, type ModelOptions, nothing } from './model.ts';

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

/** Single use of a client assertion's or a DPoP proof's `jti` is a claim (D6), and holds even if the request fails. */
export const replayModel = ({ now }: ModelOptions): ModelAdapter => ({
  ...nothing,
  upsert: async (id, _payload, ttlSeconds) => currentState().uow.writeAlways(replayClaim(id, ttlSeconds, now())),
});
