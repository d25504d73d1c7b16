import { randomBytes } from 'node:crypto';
import type { Conflict, Write } from '@carnet/adapter-contract';
import { applyWrites, keysOf } from '@carnet/adapter-contract/kit';
import type { CallContext } from './call-context.ts';
import { commitIdOf, type Encoding, toFound } from './entity.ts';
import { isAlreadyThere, isCollision, isOutage } from './faults.ts';
import { nameOf } from './keys.ts';
import { assertWithinLimits } from './limits.ts';
import { distinct, lookUp } from './lookup.ts';
import { blindMutations, toMutation } from './mutations.ts';
import { repeat } from './repeat.ts';
import { beginTransaction, rollBack, type Transaction } from './transaction.ts';
import type { CommitRequest, Mutation } from './wire.ts';

interface Commit {
  readonly writes: readonly Write[];
  readonly context: CallContext;
  readonly encoding: Encoding;
}

/** Whether its effect is the same if it is carried out twice. A put for a grant might outlive the grant's revocation. */
const isRepeatable = (writes: readonly Write[]): boolean =>
  writes.every(
    (write) =>
      write.type === 'remove' ||
      write.type === 'revoke' ||
      (write.type === 'put' && !write.onlyIfPresent && write.record.grantId === undefined),
  );

/** An entity that the mutations leave, by which it is known later that they were carried out. */
const traceOf = (mutations: readonly Mutation[]) => {
  for (const mutation of mutations) {
    if ('insert' in mutation) return mutation.insert.key;
    if ('upsert' in mutation) return mutation.upsert.key;
  }
  return undefined;
};

/** Whether an entity carries the id of the commit. Then all of the commit was carried out. */
const wasCarriedOut = async (mutations: readonly Mutation[], { context, encoding }: Commit): Promise<boolean> => {
  const key = traceOf(mutations);
  if (key === undefined) return false;
  const { entities } = await lookUp([key], context);
  return [...entities.values()].some((entity) => commitIdOf(entity) === encoding.commitId);
};

/**
 * Sends the mutations. If the answer was lost, the commit is looked for by its id, and never sent again, unless that
 * makes no difference: a repeated claim would find its own record, and a repeated put would survive a revocation.
 */
const send = async (request: CommitRequest, commit: Commit): Promise<void> => {
  const { connection, deadline } = commit.context;
  try {
    await connection.call('commit', request, deadline);
  } catch (error) {
    if (!isOutage(error) || isRepeatable(commit.writes)) throw error;
    if (await wasCarriedOut(request.mutations, commit).catch(() => false)) return;
    throw error;
  }
};

const retriesOf = ({ writes }: Commit) => ({
  isCollision,
  isOutage: (error: unknown) => isOutage(error) && isRepeatable(writes),
});

/** One request. Returns whether it was carried out; not if a claimed record exists, expired or not. */
const commitBlindly = (mutations: readonly Mutation[], commit: Commit): Promise<boolean> => {
  assertWithinLimits(mutations);
  const request = { mode: 'TRANSACTIONAL', singleUseTransaction: { readWrite: {} }, mutations } as const;
  const attempt = async (): Promise<boolean> => {
    try {
      await send(request, commit);
      return true;
    } catch (error) {
      if (isAlreadyThere(error)) return false;
      throw error;
    }
  };
  return repeat(attempt, commit.context.deadline, retriesOf(commit));
};

const carryOut = async (transaction: Transaction, commit: Commit): Promise<Conflict | undefined> => {
  const { context, encoding, writes } = commit;
  const { id, records, ofRevokedGrants } = transaction;
  const outcome = applyWrites(writes, { now: context.now(), records, ofRevokedGrants });
  if (!('length' in outcome)) {
    rollBack(context, id);
    return outcome;
  }
  const exists = new Set([...records.keys(), ...ofRevokedGrants.map(nameOf)]);
  const mutations = outcome
    .filter(({ key, record }) => record !== undefined || exists.has(nameOf(key)))
    .map((change) => toMutation(change, encoding));
  assertWithinLimits(mutations);
  await send({ mode: 'TRANSACTIONAL', transaction: id, mutations }, commit);
  return undefined;
};

/**
 * Looks for the conflict of a claim that was refused, without a transaction, whose locks others would wait for. `none`: the
 * claim may succeed, because the record has expired meanwhile, or was an expired one.
 */
const explainRefusal = async ({ writes, context, encoding }: Commit): Promise<Conflict | undefined | 'none'> => {
  const wanted = distinct(keysOf(writes)).map(context.keys.record);
  const { entities } = await repeat(() => lookUp(wanted, context), context.deadline);
  // The refused insertion repeated an attempt that was carried out, although the service reported a collision.
  if ([...entities.values()].some((entity) => commitIdOf(entity) === encoding.commitId)) return undefined;
  const records = new Map([...entities].map(([name, entity]) => [name, toFound(entity)]));
  const outcome = applyWrites(writes, { now: context.now(), records, ofRevokedGrants: [] });
  return 'length' in outcome ? 'none' : outcome;
};

/** Reads what the writes depend on and commits in the same transaction; again if another commit was in between. */
const commitInTransaction = (commit: Commit, begin: () => void = () => {}): Promise<Conflict | undefined> => {
  const { context, encoding, writes } = commit;
  let previous: Uint8Array | undefined;
  const attempt = async (): Promise<Conflict | undefined> => {
    begin();
    const transaction = await beginTransaction(writes, context, previous);
    previous = transaction.id;
    // An earlier attempt was carried out, although the service reported a collision.
    if (transaction.commitIds.has(encoding.commitId)) {
      rollBack(context, transaction.id);
      return undefined;
    }
    try {
      return await carryOut(transaction, commit);
    } catch (error) {
      // Also after a collision: a transaction that still had its locks would block the next attempt.
      rollBack(context, transaction.id);
      throw error;
    }
  };
  return context.inTurn(writes, context.deadline, () => repeat(attempt, context.deadline, retriesOf(commit)));
};

/** A revocation alone never conflicts. */
const revokeAlone = async (grantId: string, commit: Commit): Promise<undefined> => {
  const { joinRevocation, deadline } = commit.context;
  await joinRevocation(grantId, deadline, async (begin) => void (await commitInTransaction(commit, begin)));
};

/**
 * Carries out a commit. Claims, puts and removals are one request. Everything that depends on stored records is a
 * transaction of two: a Lookup and a Commit. A claim of an expired record becomes one.
 */
export const commitWrites = async (writes: readonly Write[], context: CallContext): Promise<Conflict | undefined> => {
  const [first, ...others] = writes;
  if (first === undefined) return undefined;
  const { keys, isSwept, now } = context;
  const encoding = { keys, isSwept, commitId: randomBytes(9).toString('base64url') };
  const commit: Commit = { writes, context, encoding };
  if (first.type === 'revoke' && others.length === 0) return revokeAlone(first.grantId, commit);
  const mutations = blindMutations(writes, now(), encoding);
  if (mutations === undefined) return commitInTransaction(commit);
  if (await commitBlindly(mutations, commit)) return undefined;
  const conflict = await explainRefusal(commit);
  return conflict === 'none' ? commitInTransaction(commit) : conflict;
};
