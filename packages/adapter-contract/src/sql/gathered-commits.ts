import { createGatherer } from '../kit/gather.ts';
import { keyOfWrite } from '../parts.ts';
import type { Conflict, Write } from '../port.ts';
import { placeOf } from '../scan.ts';
import { type CommitStore, commitWrites, isRepeatable, tryCommits } from './commit.ts';
import { type Deadline, withDeadline } from './deadline.ts';
import type { GatherSettings } from './gathered-reads.ts';

/**
 * The commits with which a commit may share a statement. Commits without conditions cannot conflict, and share a
 * statement only with each other. A revocation sees the records at the begin of its statement, and has its own statement.
 */
type SharedWith = 'unconditional' | 'conditional' | 'none';

interface Commit {
  readonly writes: readonly Write[];
  /** Grants, and records of none, that it is about. */
  readonly places: ReadonlySet<string>;
  readonly sharing: SharedWith;
  readonly sizeBytes: number;
}

/** Statements that run at once. */
const concurrency = 2;
/** A revocation takes a part of a slot: on a slow network, two revocations at a time would delay all other commits. */
const shareOfRevocation = 1 / 4;
const mostRows = 128;
const mostBytes = 262_144;
/** Commits that share a statement at most: what one of them may undo, and make to be carried out one by one. */
const mostConditional = 16;

const sharingOf = (writes: readonly Write[]): SharedWith => {
  if (writes.some(({ type }) => type === 'revoke')) return 'none';
  const isFree = (write: Write) => write.type === 'remove' || (write.type === 'put' && !write.onlyIfPresent);
  return writes.every(isFree) ? 'unconditional' : 'conditional';
};

const toCommit = (writes: readonly Write[]): Commit => ({
  writes,
  places: new Set(writes.map((write) => (write.type === 'revoke' ? write.grantId : placeOf(keyOfWrite(write))))),
  sharing: sharingOf(writes),
  sizeBytes: writes.reduce((sum, write) => sum + ('record' in write ? write.record.payload.length : 0), 0),
});

/** How many conditional commits may share a statement: one after a refusal, and one more after each that went well. */
const createCaution = () => {
  let most = mostConditional;
  return {
    most: () => most,
    wentWell() {
      most = Math.min(most + 1, mostConditional);
    },
    wasRefused() {
      most = 1;
    },
  };
};

/** Picks commits that go well together, none of them before one of the same place that has come earlier. */
const createChoice = (mostOf: (sharing: SharedWith) => number) => {
  /** Places of the commits under way. */
  const busy = new Set<string>();

  const choose = (waiting: Iterable<Commit>): readonly Commit[] => {
    const chosen: Commit[] = [];
    const passedOver = new Set<string>();
    let [rows, bytes] = [0, 0];
    for (const commit of waiting) {
      const first = chosen[0] ?? commit;
      const isHeldUp = [...commit.places].some((place) => busy.has(place) || passedOver.has(place));
      if (isHeldUp || commit.sharing !== first.sharing) {
        for (const place of commit.places) passedOver.add(place);
        continue;
      }
      rows += commit.writes.length;
      bytes += commit.sizeBytes;
      if (chosen.length > 0 && (rows > mostRows || bytes > mostBytes)) break;
      chosen.push(commit);
      for (const place of commit.places) busy.add(place);
      if (chosen.length === mostOf(commit.sharing)) break;
    }
    return chosen;
  };

  const release = (commits: readonly Commit[]): void => {
    for (const { places } of commits) for (const place of places) busy.delete(place);
  };
  return { choose, release };
};

/**
 * Commits, several in one statement where they meet. Law: each is all or nothing, and answered for itself; those of one
 * grant are carried out in the order in which they came. When a condition of any does not hold, nothing of the
 * statement was done, and each of them is carried out by itself.
 */
export const createCommits = <Prepared>({
  store,
  now,
  timeoutMs,
  poolSize,
}: GatherSettings & { readonly store: CommitStore<Prepared> }) => {
  const caution = createCaution();
  const mostOf = (sharing: SharedWith): number =>
    ({ unconditional: mostRows, conditional: caution.most(), none: 1 })[sharing];

  const alone = async ({ writes, sharing }: Commit, deadline: Deadline): Promise<Conflict | undefined> => {
    const conflict = await commitWrites(store, writes, { now, deadline });
    if (conflict !== undefined) caution.wasRefused();
    else if (sharing === 'conditional') caution.wentWell();
    return conflict;
  };

  const together = async (commits: readonly Commit[], areAwaited: () => boolean) => {
    const all = commits.map(({ writes }) => writes);
    const tryAll = (deadline: Deadline) => tryCommits(store, all, { now, deadline, isAwaited: areAwaited });
    let isDone = false;
    try {
      isDone = await withDeadline(timeoutMs, tryAll);
    } finally {
      // The cause of the failure (a conflict, another transaction) may still exist at the next attempt.
      if (!isDone && areAwaited()) caution.wasRefused();
    }
    if (isDone && commits[0]?.sharing === 'conditional') caution.wentWell();
    return isDone ? all.map(() => undefined) : undefined;
  };

  const gatherer = createGatherer<Commit, Conflict | undefined, Deadline>({
    // The same number of commits may run when each has a statement of its own.
    concurrency: () => Math.min(Math.max(concurrency, Math.ceil(mostConditional / caution.most())), poolSize),
    shareOf: ([first]) => (first?.sharing === 'none' ? shareOfRevocation : 1),
    ...createChoice(mostOf),
    together,
    alone,
    mayFollow: ({ writes }, error) => store.changedNothing(error) || isRepeatable(writes),
  });
  return {
    commit: async (writes: readonly Write[], deadline: Deadline): Promise<Conflict | undefined> =>
      writes.length === 0 ? undefined : gatherer.call(toCommit(writes), deadline),
  };
};
