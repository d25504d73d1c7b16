import type { Conflict, RecordKey, Write } from '@carnet/adapter-contract';
import { keyOfWrite } from '@carnet/adapter-contract';
import type { Context } from 'koa';
import { CarnetError } from '../errors.ts';
import type { Redemptions } from '../flow/redemptions.ts';
import { reuseOf } from '../library/models/token-models.ts';
import { stateOf } from '../library/request-state.ts';
import { oauthError, respondWith } from '../library/respond.ts';
import type { UndoneBy } from '../storage/compose.ts';

const nameOfWrite = (write: Write): string =>
  write.type === 'revoke' ? write.grantId : `${write.type}:${keyOfWrite(write).kind}:${keyOfWrite(write).id}`;

export const invalidGrant = () => oauthError(400, 'invalid_grant', 'grant request is invalid');

/** Somebody used what was used before: all that came of the grant is taken back (RFC 6749, 4.1.2 and 10.4). */
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
  readonly reuseCount: number;
}

interface Reuse {
  /** Of the refresh token that is used again. */
  readonly key: RecordKey;
  readonly expiresAt: Date | null;
  readonly rest: readonly Write[];
  /** The first that may still be free. */
  readonly ordinal: number;
}

/**
 * Each use of a refresh token after its first is a claim with a number of its own: of any number of them, in whichever
 * process, as many succeed as there are numbers. One more, and the grant is revoked.
 */
const reuse = async (ctx: Context, { redemptions, reuseCount, undoneBy }: Reuses, use: Reuse): Promise<void> => {
  const { uow } = stateOf(ctx);
  let { rest } = use;
  for (let number = use.ordinal; number <= reuseCount; number++) {
    const mine = reuseOf(use.key, use.expiresAt, number);
    const writes = [...mine, ...rest];
    for (const write of writes) uow.write(write);
    const conflict = await uow.commit('succeeded');
    if (conflict === undefined) return;
    if (conflict.write !== mine[0]) break;
    // Where a commit is atomic for one grant only, what is not of the grant has been carried out by now.
    rest = undoneBy(conflict, writes).filter((write) => !mine.includes(write));
  }
  await revokeGrant(ctx, redemptions, use.key.grantId);
};

/** The number of the request's own use was taken while it was on its way: it goes on to the next. */
export const reuseNext = (ctx: Context, deps: Reuses, { undone }: Stopped): Promise<void> => {
  const use = stateOf(ctx).refresh?.reuse;
  if (use === undefined) throw new CarnetError('server_error', 'the mark of a use without a refresh token');
  const mine = new Set(reuseOf(use.key, use.expiresAt, use.ordinal).map(nameOfWrite));
  const rest = undone.filter((write) => !mine.has(nameOfWrite(write)));
  return reuse(ctx, deps, { ...use, rest, ordinal: use.ordinal + 1 });
};
