import { type FoundRecord, kinds, type StorageAdapter } from '@carnet/adapter-contract';
import { nameOf } from '../records/name-of.ts';
import { readAhead } from '../records/read-ahead.ts';
import { scanPages } from '../records/scan-pages.ts';

/** Records that expire so soon are not reported as different: one of the stores may have read them earlier. */
const marginMs = 5_000;

type Readable = Pick<StorageAdapter, 'scan' | 'read'>;

/** A page of one store, compared with another store. */
export interface ComparedPage {
  readonly records: readonly FoundRecord[];
  /** Records that the other store does not have. */
  readonly absent: readonly FoundRecord[];
  /** Records of which the other store has another version. */
  readonly different: readonly FoundRecord[];
}

const isSame = (one: FoundRecord, other: FoundRecord): boolean =>
  one.payload === other.payload &&
  one.subject === other.subject &&
  one.clientId === other.clientId &&
  one.expiresAt?.getTime() === other.expiresAt?.getTime() &&
  one.consumedAt?.getTime() === other.consumedAt?.getTime() &&
  one.members.length === other.members.length &&
  new Set([...one.members, ...other.members]).size === one.members.length;

/**
 * A record of a later release may belong to a grant, or be marked as used, in a way that is not known here: no copy of it would
 * be safe.
 *
 * @throws Error if there is one
 */
export const assertKnown = (records: readonly FoundRecord[]): void => {
  const unknown = records.find(({ kind }) => !kinds.includes(kind));
  if (unknown !== undefined)
    throw new Error(
      `The ${nameOf(unknown)} is of a kind that this release of Carnet does not have. Use the release of its servers.`,
    );
};

/** Compares each record of a store with the record of the other store that has its key. */
export const comparePages = async function* (scanned: Readable, other: Readable): AsyncGenerator<ComparedPage> {
  for await (const records of readAhead(scanPages(scanned))) {
    assertKnown(records);
    const found = await other.read(records);
    yield {
      records,
      absent: records.filter((_, index) => found[index] === undefined),
      different: records.filter((record, index) => {
        const match = found[index];
        return match !== undefined && !isSame(record, match);
      }),
    };
  }
};

/** Whether a record expires so late that its absence is a difference. */
export const isLasting = ({ expiresAt }: FoundRecord): boolean =>
  expiresAt === null || expiresAt.getTime() > Date.now() + marginMs;
