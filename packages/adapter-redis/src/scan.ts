import type { FoundRecord, Page, ScanQuery } from '@carnet/adapter-contract';
import type { Deadline } from '@carnet/adapter-contract/kit';
import type { Redis } from 'ioredis';
import type { CommitContext } from './commit.ts';
import { readRunId } from './inspection.ts';
import { parseRecord } from './record.ts';
import type { Scanned } from './server.ts';

/** `run`: the process of the server, which alone understands its cursor. */
interface Place {
  readonly topology: string;
  readonly server: number;
  readonly run?: string;
  readonly cursor: string;
}

const changed = () =>
  new Error('The Redis server restarted, or its Cluster changed, during the scan: begin the scan again.');

/** Some keys of one server, and the place where the next ones begin. */
const scanSome = async (
  { topology, servers }: Scanned,
  place: Place,
  { match, count, deadline }: { readonly match: string; readonly count: number; readonly deadline: Deadline },
): Promise<{ readonly keys: readonly string[]; readonly next?: Place }> => {
  const call = servers[place.server];
  // The one step that lets a scan miss nothing: a cursor is used only where it was given out, on the same keys.
  if (call === undefined || topology !== place.topology) throw changed();
  const scan = (client: Redis) =>
    Promise.all([readRunId(client), client.scan(place.cursor, 'MATCH', match, 'COUNT', count)]);
  const [run, [cursor, keys]] = await call(scan, deadline);
  if (place.run !== undefined && run !== place.run) throw changed();
  if (cursor !== '0') return { keys, next: { ...place, run, cursor } };
  const server = place.server + 1;
  return { keys, next: server < servers.length ? { topology, server, cursor: '0' } : undefined };
};

/** A page of the keys of every server. Redis may return a key twice, and a few keys more than were asked for. */
export const scanPage = async ({ limit, after, prefix = '' }: ScanQuery, context: CommitContext): Promise<Page> => {
  const { server, keys: layout, now, deadline } = context;
  const scanned = await server.scanned(deadline);
  const place: Place = after ? JSON.parse(after) : { topology: scanned.topology, server: 0, cursor: '0' };
  const { keys, next } = await scanSome(scanned, place, { match: layout.matchPlaces(prefix), count: limit, deadline });
  const recordKeys = [...new Set(keys)].map(layout.parse).filter((key) => key !== undefined);
  const hashes = await server.hashes(recordKeys.map(layout.record), deadline);
  const records = recordKeys
    .map((key, i): FoundRecord | undefined => parseRecord(key, hashes[i] ?? [], now)?.record)
    .filter((record) => record !== undefined);
  return { records, next: next && JSON.stringify(next) };
};
