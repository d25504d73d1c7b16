import type { FoundRecord, RecordKey, Write } from '@carnet/adapter-contract';
import { clockSkewSeconds } from '../clock.ts';
import { replayMarginSeconds } from '../flow/redemptions.ts';
import { invalidGrant } from '../oauth-error.ts';
import { recordId } from '../storage/record-id.ts';
import { grantKey, tokenKeys } from '../tokens/token-value.ts';
import type { GrantDependencies, RequestStore } from './grant.ts';
import { refuseReuse, revokedMeanwhile } from './request-store.ts';

type ReuseDependencies = Pick<GrantDependencies, 'options' | 'redemptions' | 'now'>;

/** A further use of a refresh token in its grace period. `ordinal` is the lowest number, from 1, that no use has claimed. */
type Reuse = Readonly<{ token: FoundRecord; ordinal: number }>;

const reuseKey = ({ id, grantId = '' }: RecordKey, ordinal: number): RecordKey => ({
  kind: 'replay',
  id: recordId(`refresh-reuse:${id}:${ordinal}`),
  grantId,
});

/** Another machine may have recorded the first use, by a clock that is behind ours. */
const graceMs = ({ options }: ReuseDependencies): number => (options.refreshGraceSeconds + clockSkewSeconds) * 1000;

/**
 * Finds the number of a further use, in one read.
 *
 * @throws {OAuthError} `invalid_grant` if the token must not be used again: its grace period is over, all numbers are
 * claimed, or its successor was used, which proves that the response with the successor arrived
 */
export const findReuse = async (
  store: RequestStore,
  deps: ReuseDependencies,
  { token, successor }: { readonly token: FoundRecord; readonly successor: string },
): Promise<Reuse> => {
  const { refreshGraceSeconds: graceSeconds, refreshGraceReuseCount: reuseCount } = deps.options;
  const isInGrace = graceSeconds > 0 && deps.now() - (token.consumedAt?.getTime() ?? 0) <= graceMs(deps);
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
  deps: ReuseDependencies,
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
 * The grace period needs the record of the token, and for a day more processes whose clocks are wrong, or that run an
 * earlier version. Afterwards `findLaterToken` detects a further use, if the token is provable.
 *
 * @throws {OAuthError} `invalid_grant`
 */
export const commitRotation = async (
  store: RequestStore,
  deps: ReuseDependencies,
  { token, isProvable }: { readonly token: FoundRecord; readonly isProvable: boolean },
  writes: readonly Write[],
): Promise<void> => {
  const { kind, id, grantId } = token;
  const key = { kind, id, grantId };
  const needed = new Date(deps.now() + graceMs(deps) + replayMarginSeconds * 1000);
  const expiresAt = isProvable && (token.expiresAt === null || needed < token.expiresAt) ? needed : token.expiresAt;
  // This is the write that conflicts with another first use.
  const expiry: Write = { type: 'merge', key, members: [], expiresAt: expiresAt ?? undefined };
  const use: Write = { type: 'consume', key, at: new Date(deps.now()) };
  const stopped = await store.commit([expiry, use, ...writes]);
  if (stopped === undefined) return;
  if (stopped.conflict.write !== expiry) throw revokedMeanwhile(stopped);
  if (deps.options.refreshGraceSeconds === 0) await refuseReuse(store, deps, grantId);
  if (stopped.conflict.reason !== 'consumed') throw invalidGrant();
  const isSuccessor = (write: Write) => write.type === 'put' && write.record.kind === 'refresh_token';
  const rest = stopped.undone.filter((write) => write !== use && !isSuccessor(write));
  await commitReuse(store, deps, { token: { ...token, expiresAt }, ordinal: 1 }, rest);
};
