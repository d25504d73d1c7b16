import type { FoundRecord, RecordKey, Write } from '@carnet/adapter-contract';
import { clockSkewSeconds } from '../clock-skew.ts';
import type { Redemptions } from '../flow/redemptions.ts';
import { invalidGrant } from '../oauth-error.ts';
import { recordId } from '../storage/record-id.ts';
import { grantKey, tokenKeys } from '../tokens/token-value.ts';
import type { RequestStore } from './grant.ts';
import { refuseReuse, revokedMeanwhile } from './revocation.ts';

<<<<<<< HEAD
/** How used refresh tokens are accepted again: a client may have lost the response with the successor. */
export interface RefreshGrace {
  /** After the first use. 0: a used refresh token is never accepted. */
  readonly graceSeconds: number;
  /** How many uses are accepted after the first. */
=======
const nameOfWrite = (write: Write): string =>
  write.type === 'revoke' ? write.grantId : `${write.type}:${keyOfWrite(write).kind}:${keyOfWrite(write).id}`;

export const invalidGrant = () => oauthError(400, 'invalid_grant', 'grant request is invalid');

/**
 * A used code or refresh token is used again: the grant and its tokens are revoked (RFC 6749, sections 4.1.2 and 10.4).
 */
export const revokeGrant = async (
  ctx: Context,
  redemptions: Redemptions,
  grantId: string | undefined,
): Promise<void> => {
  const { uow } = stateOf(ctx);
  uow.discard();
  if (grantId !== undefined) for (const write of redemptions.revocation(grantId)) uow.writeAlways(write);
  await uow.commit('failed');
  respondWith(ctx, invalidGrant());
};

/** A commit that a conflict has stopped. */
export interface Stopped {
  readonly conflict: Conflict;
  readonly writes: readonly Write[];
  /** Those of `writes`, besides the one that could not be, that were not carried out. */
  readonly undone: readonly Write[];
}

/**
 * Two refreshes ran at once and this one came second: within the grace period, which has just begun, it hands out the
 * same successor.
 */
export const shareSuccessor = async (ctx: Context, deps: Reuses, { conflict, undone }: Stopped): Promise<void> => {
  if (conflict.write.type !== 'consume' || conflict.reason !== 'consumed') return respondWith(ctx, invalidGrant());
  const { key } = conflict.write;
  const successor = undone.find((write) => write.type === 'put' && write.record.kind === 'refresh_token');
  const expiresAt = successor?.type === 'put' ? successor.record.expiresAt : null;
  const rest = undone.filter((write) => write !== successor);
  await reuse(ctx, deps, { key, expiresAt, rest, ordinal: 1 });
};

interface Reuses {
  readonly redemptions: Redemptions;
  readonly undoneBy: UndoneBy;
>>>>>>> c8f7459 (Comments of admin, clients, endpoints, grants, sessions, storage, telemetry, tokens and others in the terms of the field)
  readonly reuseCount: number;
  readonly redemptions: Pick<Redemptions, 'revocation'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

<<<<<<< HEAD
/** A further use of a refresh token within its grace period. */
export interface Reuse {
  readonly token: FoundRecord;
  /** Uses are numbered from 1: the number that no use had claimed when the marks were read. */
=======
interface Reuse {
  /** The record of the refresh token that is used again. */
  readonly key: RecordKey;
  readonly expiresAt: Date | null;
  readonly rest: readonly Write[];
  /** The first that may still be free. */
>>>>>>> c8f7459 (Comments of admin, clients, endpoints, grants, sessions, storage, telemetry, tokens and others in the terms of the field)
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
 * @returns undefined if the token must not be used again: its grace period is over, all numbers are claimed, or its
 * successor was used, which proves that the response with the successor arrived
 */
export const findReuse = async (
  store: RequestStore,
  { graceSeconds, reuseCount, now }: RefreshGrace,
  { token, successor }: { readonly token: FoundRecord; readonly successor: string },
): Promise<Reuse | undefined> => {
  // Another machine may have recorded the first use, by a clock that is behind ours.
  const graceMs = (graceSeconds + clockSkewSeconds) * 1000;
  const key = tokenKeys(successor)?.token;
  if (graceSeconds === 0 || key === undefined || now() - (token.consumedAt?.getTime() ?? 0) > graceMs) return undefined;
  const ordinals = Array.from({ length: reuseCount }, (_, index) => index + 1);
  const [next, ...marks] = await store.read([key, ...ordinals.map((ordinal) => reuseKey(token, ordinal))]);
  const ordinal = ordinals.find((_, index) => marks[index] === undefined);
  return next?.consumedAt === null && ordinal !== undefined ? { token, ordinal } : undefined;
};

<<<<<<< HEAD
/**
 * Commits a further use. Each is a claim of a number of its own: of any number of parallel uses, in whichever process,
 * as
 * many succeed as there are numbers (D2). One more revokes the grant.
 *
 * @throws {OAuthError} `invalid_grant`
 */
export const commitReuse = async (
  store: RequestStore,
  grace: RefreshGrace,
  { token, ordinal }: Reuse,
  writes: readonly Write[],
): Promise<void> => {
  // Changes nothing in the grant. It conflicts once the grant was revoked, which removes the claims as well.
  const isAlive: Write = { type: 'merge', key: grantKey(token.grantId ?? ''), members: [] };
  let rest = writes;
  for (let number = ordinal; number <= grace.reuseCount; number++) {
    const { expiresAt } = token;
    const claim: Write = { type: 'claim', record: { ...reuseKey(token, number), payload: '{}', expiresAt } };
    const stopped = await store.commit([claim, isAlive, ...rest]);
    if (stopped === undefined) return;
    if (stopped.conflict.write !== claim) throw revokedMeanwhile(stopped);
    // Where a commit is atomic for one grant only, the writes of other records were carried out.
    rest = stopped.undone.filter((write) => write !== isAlive);
  }
  await refuseReuse(store, grace, token.grantId);
};

/**
 * Commits the first use of a refresh token. Of parallel ones, the store lets one through (D2): the others hand out the
 * same
 * successor, within the grace period that has just begun.
 *
 * @throws {OAuthError} `invalid_grant`
 */
export const commitRotation = async (
  store: RequestStore,
  grace: RefreshGrace,
  token: FoundRecord,
  writes: readonly Write[],
): Promise<void> => {
  const use: Write = { type: 'consume', key: keyOf(token), at: new Date(grace.now()) };
  const stopped = await store.commit([use, ...writes]);
  if (stopped === undefined) return;
  if (stopped.conflict.write !== use) throw revokedMeanwhile(stopped);
  if (grace.graceSeconds === 0) await refuseReuse(store, grace, token.grantId);
  if (stopped.conflict.reason !== 'consumed') throw invalidGrant();
  const isSuccessor = (write: Write) => write.type === 'put' && write.record.kind === 'refresh_token';
  const rest = stopped.undone.filter((write) => !isSuccessor(write));
  await commitReuse(store, grace, { token, ordinal: 1 }, rest);
=======
/** Another request took the number of this use: try the next number. */
export const reuseNext = (ctx: Context, deps: Reuses, { undone }: Stopped): Promise<void> => {
  const use = stateOf(ctx).refresh?.reuse;
  if (use === undefined) throw new CarnetError('server_error', 'the mark of a use without a refresh token');
  const mine = new Set(reuseOf(use.key, use.expiresAt, use.ordinal).map(nameOfWrite));
  const rest = undone.filter((write) => !mine.has(nameOfWrite(write)));
  return reuse(ctx, deps, { ...use, rest, ordinal: use.ordinal + 1 });
>>>>>>> c8f7459 (Comments of admin, clients, endpoints, grants, sessions, storage, telemetry, tokens and others in the terms of the field)
};
