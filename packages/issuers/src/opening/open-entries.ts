import type { Carnet } from '@carnet/provider';
import type { Issuer } from '../ports.ts';
import { createPlaces } from './places.ts';

/** An issuer that is open, or is being opened. */
export interface Entry {
  readonly issuer: Issuer;
  readonly opening: Promise<Carnet>;
  /** Undefined while it is being opened. */
  carnet?: Carnet;
  /** The requests in progress. */
  holds: number;
  usedAt: number;
  /** Another entry has its name: it is closed when its last request has ended. */
  isReplaced?: true;
}

export interface OpenEntriesOptions {
  /** How many are open at once. */
  readonly most: number;
  /** Whether an issuer has work without requests. It is closed only if its place is needed. */
  readonly worksAlone: (issuer: Issuer) => boolean;
  /** Called when an issuer could not be closed. */
  readonly onError: (issuer: Issuer, error: unknown) => void;
  readonly now: () => number;
}

/** How long a request waits until another issuer can be closed. */
const waitMs = 5_000;

const nameOf = ({ issuer }: Entry): string => issuer.name ?? '';

/** The issuers that are open. One with requests in progress is never closed. */
export const createOpenEntries = ({ most, worksAlone, onError, now }: OpenEntriesOptions) => {
  const entries = new Map<string, Entry>();
  const closings = new Set<Promise<void>>();

  const remove = (entry: Entry): void => {
    if (entries.get(nameOf(entry)) === entry) entries.delete(nameOf(entry));
  };
  const close = (entry: Entry): void => {
    remove(entry);
    const closing = entry.opening
      .then(async (carnet) => {
        await carnet.close().catch((error: unknown) => onError(entry.issuer, error));
        places.free();
      })
      // It could not be opened, and has no place.
      .catch(() => {})
      .finally(() => closings.delete(closing));
    closings.add(closing);
  };
  const idle = (): readonly Entry[] =>
    [...entries.values()].filter(({ carnet, holds }) => carnet !== undefined && holds === 0);
  /** Closes the one that was idle longest. */
  const closeOne = (): void => {
    const [longest] = idle().toSorted((one, other) => one.usedAt - other.usedAt);
    if (longest !== undefined) close(longest);
  };
  const places = createPlaces({ most, makeRoom: closeOne, waitMs });

  return {
    places,
    get: (name: string): Entry | undefined => entries.get(name),
    add: (entry: Entry): void => void entries.set(nameOf(entry), entry),
    remove,
    /** Removes an entry whose issuer has new settings, and closes it after its last request. */
    replace: (entry: Entry): void => {
      entry.isReplaced = true;
      remove(entry);
      if (entry.holds === 0) close(entry);
    },
    /** One request has ended. */
    release: (entry: Entry): void => {
      entry.holds -= 1;
      entry.usedAt = now();
      if (entry.holds === 0 && (entry.isReplaced || places.isWanted())) close(entry);
    },
    closeIdle: (idleMs: number): void => {
      for (const entry of idle()) if (now() - entry.usedAt >= idleMs && !worksAlone(entry.issuer)) close(entry);
    },
    issuers: (): readonly Issuer[] => [...entries.values()].map(({ issuer }) => issuer),
    open: (): readonly Carnet[] => [...entries.values()].flatMap(({ carnet }) => carnet ?? []),
    async closeAll(): Promise<void> {
      for (const entry of entries.values()) close(entry);
      while (closings.size > 0) await Promise.all(closings);
    },
  };
};

export type OpenEntries = ReturnType<typeof createOpenEntries>;
