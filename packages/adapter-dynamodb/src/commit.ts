import { randomBytes } from 'node:crypto';
import type { Conflict, ConflictReason, Write } from '@carnet/adapter-contract';
import { millisecondsUntil, TimeoutError } from '@carnet/adapter-contract/kit';
import type { Action } from './action.ts';
import { type CallContext, encodingOf } from './call-context.ts';
import { isDirect, planDirect } from './direct.ts';
import { isConditionFailed } from './faults.ts';
import { type Encoding, epochOf, isLive } from './item.ts';
import { transactionsOf } from './limits.ts';
import { purgeGrant } from './purge.ts';
import { planFromStored } from './reread.ts';
import { transact } from './transact.ts';
import type { CancellationReason } from './wire.ts';

/** The outcome of a transaction that DynamoDB has refused. */
type Refusal = { readonly conflict: Conflict | undefined } | 'again';

/**
 * Whether a part of the writes may be carried out without the others, if the process is killed. What makes that safe: none
 * of them uses, claims or revokes anything, so that no token is lost or doubled.
 */
const isSeparable = (writes: readonly Write[]): boolean =>
  writes.every((write) => (write.type === 'put' && write.onlyIfPresent !== true) || write.type === 'remove');

/** Sends the transactions of a commit. Only the first has conditions. */
const send = async (actions: readonly Action[], context: CallContext, mayBeSplit = false) => {
  const [first = [], ...others] = transactionsOf(actions, mayBeSplit);
  if (first.length === 0) return undefined;
  const reasons = await transact(first, context);
  if (reasons !== undefined) return { reasons, actions: first };
  for (const further of others) await transact(further, context);
  return undefined;
};

/** An earlier attempt was carried out, although its answer was lost: an item has the version of this commit. */
const wasCarriedOut = (reasons: readonly CancellationReason[], { version }: Encoding): boolean =>
  reasons.some(({ Item }) => Item?.version?.S === version);

const reasonFor = (write: Write, { Item: item }: CancellationReason, epoch: number, now: number): ConflictReason => {
  if (write.type === 'claim') return 'exists';
  const isUsed = item !== undefined && isLive(item, epoch, now) && item.used !== undefined;
  return isUsed && write.type !== 'put' ? 'consumed' : 'absent';
};

/** Explains the refusal of a direct plan. It learns the epochs of revoked grants. */
const explainDirect = (
  actions: readonly Action[],
  reasons: readonly CancellationReason[],
  epochs: Map<string, number>,
  encoding: Encoding,
): Refusal => {
  if (wasCarriedOut(reasons, encoding)) return { conflict: undefined };
  const failed = actions.flatMap((action, index) => {
    const reason = reasons[index];
    return reason && isConditionFailed(reason) ? [{ ...action, reason }] : [];
  });
  const surprising = failed.filter(
    ({ grantOfHead, epoch = 0, reason }) => grantOfHead !== undefined && epochOf(reason.Item) !== epoch,
  );
  for (const { grantOfHead = '', reason } of surprising) epochs.set(grantOfHead, epochOf(reason.Item));
  const [first] = failed;
  if (surprising.length > 0 || first?.write === undefined) return 'again';
  const { write, reason, epoch = 0 } = first;
  return { conflict: { write, reason: reasonFor(write, reason, epoch, encoding.now) } };
};

const commitDirectly = async (writes: readonly Write[], context: CallContext, version: string) => {
  const epochs = new Map<string, number>();
  while (millisecondsUntil(context.deadline) > 0) {
    const encoding = encodingOf(context, version);
    const actions = planDirect(writes, { table: context.table, encoding, epochs });
    const refused = await send(actions, context, isSeparable(writes));
    if (refused === undefined) return undefined;
    const refusal = explainDirect(refused.actions, refused.reasons, epochs, encoding);
    if (refusal !== 'again') return refusal.conflict;
  }
  throw new TimeoutError('Other commits of the same grants were always in between.');
};

/** For writes that depend on each other, or on the subject of a record: reads first, then a transaction. */
const commitFromStored = async (writes: readonly Write[], context: CallContext, version: string) => {
  while (millisecondsUntil(context.deadline) > 0) {
    const encoding = encodingOf(context, version);
    const actions = await planFromStored(writes, context, encoding);
    if (!('length' in actions)) return actions;
    const refused = await send(actions, context);
    if (refused === undefined || wasCarriedOut(refused.reasons, encoding)) return undefined;
  }
  throw new TimeoutError('Other commits of the same records were always in between.');
};

/** Carries out a commit: one transaction, or a read and a transaction. */
export const commitWrites = async (writes: readonly Write[], context: CallContext): Promise<Conflict | undefined> => {
  if (writes.length === 0) return undefined;
  const version = randomBytes(9).toString('base64url');
  const conflict = await (isDirect(writes) ? commitDirectly : commitFromStored)(writes, context, version);
  if (conflict !== undefined) return conflict;
  for (const write of writes) {
    if (write.type === 'revoke') context.later((later) => purgeGrant(write.grantId, later));
  }
  return undefined;
};
