import {
  type ListQuery,
  mostLeftCounted,
  type OpenAdapter,
  type Page,
  placeOf,
  type ScanQuery,
} from '@carnet/adapter-contract';
import { isLive, nameOf, prepareCommit, type Records } from './commit.ts';
import { applyTo, openLog } from './log.ts';

/** The cursor is the last id of the page before: whatever comes and goes meanwhile moves nobody past it. */
const listPage = (records: Records, { kind, subject, limit, after = '' }: ListQuery, now: number): Page => {
  const found = [...records.values()]
    .filter((record) => record.kind === kind && record.id > after && isLive(record, now))
    .filter((record) => subject === undefined || record.subject === subject)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const page = structuredClone(found.slice(0, limit));
  return found.length > limit ? { records: page, next: page.at(-1)?.id } : { records: page };
};

/** In the order of their names. `prefix` is about the place of a record: its grant or, without one, its id. */
const scanPage = (records: Records, { limit, after = '', prefix = '' }: ScanQuery, now: number): Page => {
  const found = [...records]
    .filter(([name, record]) => name > after && placeOf(record).startsWith(prefix) && isLive(record, now))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const page = found.slice(0, limit);
  const next = found.length > limit ? page.at(-1)?.[0] : undefined;
  return { records: structuredClone(page.map(([, record]) => record)), next };
};

/** Opens `log:carnet.log`: every record in memory, every commit on disk before it is answered. For one process alone. */
export const openAdapter: OpenAdapter = async ({ url }) => {
  const { records, append, close } = await openLog(url.replace(/^log:/, ''));
  let last: Promise<unknown> = Promise.resolve();
  let isClosed = false;
  const whileOpen = async <T>(call: () => T | Promise<T>): Promise<T> => {
    if (isClosed) throw new Error('The log is closed.');
    return call();
  };
  /** One after the other: what a commit has found is still so when it is written. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };

  return {
    capabilities: { atomicCommit: 'all', shared: false, durable: true, neverRevives: true },
    read: (keys) =>
      whileOpen(() => {
        const now = Date.now();
        const found = keys.map((key) => records.get(nameOf(key)));
        return found.map((record) => (record && isLive(record, now) ? structuredClone(record) : undefined));
      }),
    commit: (writes) =>
      whileOpen(() =>
        inTurn(async () => {
          const prepared = prepareCommit(records, writes, Date.now());
          if ('reason' in prepared) return prepared;
          await append(prepared);
          applyTo(records, prepared);
          return undefined;
        }),
      ),
    list: (query) => whileOpen(() => listPage(records, query, Date.now())),
    scan: (query) => whileOpen(() => scanPage(records, query, Date.now())),
    // Only from memory: the next log begins without what has expired.
    sweep: (limit) =>
      whileOpen(() => {
        const expired = [...records].filter(([, record]) => !isLive(record, Date.now()));
        const removed = expired.splice(0, limit);
        for (const [name] of removed) records.delete(name);
        return { removed: removed.length, left: Math.min(expired.length, mostLeftCounted) };
      }),
    // An empty commit leaves an empty line: the disk still takes what it is given.
    ping: () => whileOpen(() => inTurn(() => append(new Map()))),
    async close() {
      isClosed = true;
      await inTurn(close);
    },
  };
};
