import { hash } from 'node:crypto';
import type { Write } from '@carnet/adapter-contract';
import { recordId } from '../storage/record-id.ts';

/**
 * Seconds. DPoP proofs are accepted with an `iat` up to this far ahead of the clock, but the lifetime of a `jti` begins
 * now. A `jti` is therefore kept for this much longer.
 */
const maxAheadSeconds = 300;

/**
 * The claim that lets the `jti` of a client be used once.
 *
 * @param untilSeconds since 1970: how long what has the `jti` is accepted
 */
export const replayClaim = (clientId: string, jti: unknown, untilSeconds: number): Write => ({
  type: 'claim',
  record: {
    kind: 'replay',
    id: recordId(hash('sha256', `${clientId}${jti}`, 'base64url')),
    payload: '{}',
    expiresAt: new Date((untilSeconds + maxAheadSeconds) * 1000),
  },
});
