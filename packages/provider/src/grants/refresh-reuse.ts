import type { FoundRecord, RecordKey, Write } from '@carnet/adapter-contract';
import { clockSkewSeconds } from '../clock.ts';
import { invalidGrant } from '../oauth-error.ts';
import { recordId } from '../storage/record-id.ts';
import { grantKey, tokenKeys } from '../tokens/token-value.ts';
import type { GrantDependencies, RequestStore } from './grant.ts';
import { refuseReuse, revokedMeanwhile } from './request-store.ts';

/** A further use of a refresh token within its grace period. */
export interface Reuse {
  readonly token: FoundRecord;
  /** Further uses are numbered from 1. This is the lowest number that was not claimed when the claims were read. */
  readonly ordinal: number;
}

const keyOf = ({ kind, id, grantId }: RecordKey): RecordKey => ({ kind, id, grantId });

const reuseKey = ({ id, grantId = '' }: RecordKey, ordinal: number): RecordKey => ({
  kind: 'replay',
  id: recordId(`refresh-reuse:${id}:${ordinal}`),
  grantId,
});

/**
 * Finds the number of a further use, in one read.
 *
 * @throws {OAuthError} `invalid_grant` if the token must not be used again: its grace period is over, all numbers are
 * claimed, or its successor was used, which proves that the response with the successor arrived
 */
export const findReuse = async (
  store: RequestStore,
  deps: Pick<GrantDependencies, 'options' | 'redemptions' | 'now'>,
  { token, successor }: { readonly token: FoundRecord; readonly successor: string },
): Promise<Reuse> => {
  const { refreshGraceSeconds: graceSeconds, refreshGraceReuseCount: reuseCount } = deps.options;
  // Another machine may have recorded the first use, by a clock that is behind ours.
  const graceMs = (graceSeconds + clockSkewSeconds) * 1000;
  const isInGrace = graceSeconds > 0 && deps.now() - (token.consumedAt?.getTime() ?? 0) <= graceMs;
  const key = tokenKeys(successor)?.token;
  if (isInGrace && key) {
    const ordinals = Array.from({ length: reuseCount }, (_, index) => index + 1);
    const [next, ...marks] = await store.read([key, ...ordinals.map((ordinal) => reuseKey(token, ordinal))]);
    const ordinal = ordinals.find((_, index) => marks[index] === undefined);
    if (next?.consumedAt === null && ordinal !== undefined) return { token, ordinal };
  }
  return refuseReuse(store, deps, token.grantId);
};

/**
 * Commits a further use. Each use claims a number of its own, so that at most `reuseCount` uses succeed, in parallel
 * and in all processes (D2). One more use revokes the grant.
 *
 * @throws {OAuthError} `invalid_grant`
 */
export const commitReuse = async (
  store: RequestStore,
  deps: Pick<GrantDependencies, 'options' | 'redemptions' | 'now'>,
  { token, ordinal }: Reuse,
  writes: readonly Write[],
): Promise<void> => {
  // Changes nothing in the grant. It conflicts once the grant was revoked, which removes the claims as well.
  const isAlive: Write = { type: 'merge', key: grantKey(token.grantId ?? ''), members: [] };
  let rest = writes;
  for (let number = ordinal; number <= deps.options.refreshGraceReuseCount; number++) {
    const { expiresAt } = token;
    const claim: Write = { type: 'claim', record: { ...reuseKey(token, number), payload: '{}', expiresAt } };
    const stopped = await store.commit([claim, isAlive, ...rest]);
    if (stopped === undefined) return;
    if (stopped.conflict.write !== claim) throw revokedMeanwhile(stopped);
    // Where a commit is atomic for one grant only, the writes of other records were carried out.
    rest = stopped.undone.filter((write) => write !== isAlive);
  }
  await refuseReuse(store, deps, token.grantId);
};

/**
 * Commits the first use of a refresh token. The store accepts one of several parallel first uses (D2). The others are
 * further uses in the grace period that has just begun, and return the same successor.
 *
 * @throws {OAuthError} `invalid_grant`
 */
export const commitRotation = async (
  store: RequestStore,
  deps: Pick<GrantDependencies, 'options' | 'redemptions' | 'now'>,
  token: FoundRecord,
  writes: readonly Write[],
): Promise<void> => {
  const use: Write = { type: 'consume', key: keyOf(token), at: new Date(deps.now()) };
  const stopped = await store.commit([use, ...writes]);
  if (stopped === undefined) return;
  if (stopped.conflict.write !== use) throw revokedMeanwhile(stopped);
  if (deps.options.refreshGraceSeconds === 0) await refuseReuse(store, deps, token.grantId);
  if (stopped.conflict.reason !== 'consumed') throw invalidGrant();
  const isSuccessor = (write: Write) => write.type === 'put' && write.record.kind === 'refresh_token';
  const rest = stopped.undone.filter((write) => !isSuccessor(write));
  await commitReuse(store, deps, { token, ordinal: 1 }, rest);
};
