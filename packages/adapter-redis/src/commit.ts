import { type Conflict, type ConflictReason, partsOf, StoreUnfitError, type Write } from '@carnet/adapter-contract';
import { type Deadline, millisecondsUntil } from '@carnet/adapter-contract/kit';
import type { Redis } from 'ioredis';
import { commitScript } from './commit-script.ts';
import { type CommitTerms, encodeCommit } from './encode-commit.ts';
import { enlistScript } from './index-scripts.ts';
import { type KeyLayout, keysOfList, memberOf } from './keys.ts';
import { toExpiry } from './record.ts';
import { type FollowUp, runScript } from './script.ts';
import type { Server } from './server.ts';

/** The dependencies of a commit. */
export interface CommitContext {
  readonly server: Server;
  /** The same over other connections, for commits that wait: they hold up what is sent behind them. */
  readonly awaitedServer: Server;
  /** How many replicas have to have what is taken back. */
  readonly replicas: number;
  readonly keys: KeyLayout;
  readonly now: number;
  readonly deadline: Deadline;
}

/** A record's place in its list, and until when. */
interface Listing {
  readonly list: string;
  readonly member: string;
  readonly expiry: string;
}

const lossMessage =
  'The Redis database was emptied or replaced while it was in use. Rotate secrets.system, because used codes and tokens could be used again; then run `carnet migrate up`, and restart every process.';

/** The result of the script: the conflict, or the records whose expiry changed. */
const parseAnswer = (
  answer: unknown,
  writes: readonly Write[],
): { readonly conflict?: Conflict; readonly moved: readonly Listing[] } => {
  const [outcome, ...rest] = answer as [string, ...unknown[]];
  if (outcome === 'lost') throw new StoreUnfitError(lossMessage);
  if (outcome === 'conflict')
    return { conflict: { write: writes[Number(rest[0])] as Write, reason: rest[1] as ConflictReason }, moved: [] };
  const texts = rest as string[];
  const moved = texts.flatMap((list, i) =>
    i % 3 === 0 ? [{ list, member: texts[i + 1] ?? '', expiry: texts[i + 2] ?? '' }] : [],
  );
  return { moved };
};

/** Writes that must not be undone when a replica replaces its master. */
const takesBack = ({ type }: Write): boolean => type === 'remove' || type === 'consume' || type === 'revoke';

/**
 * Answers when so many replicas have what was sent, and all that was written before; throws when they do not in half
 * the time there is, and then it may come back.
 */
const awaitReplicas =
  (client: Redis, replicas: number, deadline: Deadline): FollowUp =>
  async (sent) => {
    // A timeout of 0 milliseconds waits without a limit.
    const milliseconds = Math.max(Math.floor(millisecondsUntil(deadline) / 2), 1);
    const [answer, having] = await Promise.all([sent, client.call('WAIT', [replicas, milliseconds])]);
    if (Number(having) < replicas)
      throw new Error(
        `Only ${having} of ${replicas} Redis replicas confirmed a removal in time: removed records may come back. Restart the missing replicas, or set the parameter replicas of the URL to as many as there are.`,
      );
    return answer;
  };

const run = async (
  writes: readonly Write[],
  { server, awaitedServer, replicas, keys: layout, now, deadline }: CommitContext,
  where: Pick<CommitTerms, 'marker' | 'keepsLists'>,
) => {
  const isAwaited = replicas > 0 && writes.some(takesBack);
  const { keys, args } = encodeCommit(writes, layout, { now, isAwaited, ...where });
  return (isAwaited ? awaitedServer : server).call(
    keys[0] as string,
    async (client) => {
      const followUp = isAwaited ? awaitReplicas(client, replicas, deadline) : undefined;
      // The answer is read here: that the data set is lost ends the connection's use.
      return parseAnswer(await runScript(client, commitScript, keys, args, followUp), writes);
    },
    deadline,
  );
};

/** All in one script, which runs alone: any commit is atomic. */
export const commitAtOnce = async (
  writes: readonly Write[],
  marker: string | undefined,
  context: CommitContext,
): Promise<Conflict | undefined> => (await run(writes, context, { marker, keepsLists: true })).conflict;

const listingsOf = (writes: readonly Write[], keys: KeyLayout): readonly Listing[] =>
  writes.flatMap((write) => {
    if (!('record' in write)) return [];
    const list = keys.listOf(write.record);
    if (list === undefined) return [];
    return [{ list, member: memberOf(write.record), expiry: toExpiry(write.record.expiresAt) }];
  });

const enlist = async (listings: readonly Listing[], { server, now, deadline }: CommitContext): Promise<void> => {
  const calls = listings.map(({ list, member, expiry }) => {
    const keys = keysOfList(list);
    const args = [`${now}`, list, member, expiry];
    return server.call(keys[0], (client) => runScript(client, enlistScript, keys, args), deadline);
  });
  await Promise.all(calls);
};

/**
 * Part after part, each in a script of its own. Lists are elsewhere in the Cluster: entries are written beside their
 * records, in the same round trip, and what they name is looked at before it is listed; so that one too many does no
 * harm, and none is missing when a commit has resolved.
 */
export const commitInParts = async (
  writes: readonly Write[],
  context: CommitContext,
): Promise<Conflict | undefined> => {
  for (const part of partsOf(writes)) {
    const [{ conflict, moved }] = await Promise.all([
      run(part, context, { keepsLists: false }),
      enlist(listingsOf(part, context.keys), context),
    ]);
    if (conflict) return conflict;
    // The list of a record whose expiry changed, which only the record contains.
    await enlist(moved, context);
  }
  return undefined;
};
