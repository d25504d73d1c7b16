import type { Carnet } from '@carnet/provider';
import type { Eventually, Held, Issuer } from '../ports.ts';
import { createFailures, notOpened } from './failures.ts';
import { createOpenEntries, type Entry, type OpenEntries } from './open-entries.ts';

export interface PoolOptions {
  readonly open: (issuer: Issuer) => Promise<Carnet>;
  /** How many are open at once. */
  readonly most: number;
  /** Milliseconds. Undefined: an idle one stays open. */
  readonly idleMs: number | undefined;
  /** Whether an issuer has work without requests. It is closed only if its place is needed. Default: none has. */
  readonly worksAlone?: (issuer: Issuer) => boolean;
  /** Called when an issuer could not be opened or closed. */
  readonly onError: (issuer: Issuer, error: unknown) => void;
}

const now = (): number => performance.now();

/** Starts to open issuers, each once. */
const createOpening = ({ open, onError }: PoolOptions, entries: OpenEntries) => {
  const failures = createFailures();
  const openInPlace = async (issuer: Issuer): Promise<Carnet> => {
    await entries.places.take();
    try {
      return await open(issuer);
    } catch (error) {
      entries.places.free();
      throw error;
    }
  };
  const start = (issuer: Issuer): Entry => {
    const entry: Entry = { issuer, opening: openInPlace(issuer), holds: 0, usedAt: now() };
    entries.add(entry);
    entry.opening.then(
      (carnet) => {
        entry.carnet = carnet;
      },
      (error: unknown) => {
        entries.remove(entry);
        failures.note(issuer);
        onError(issuer, error);
      },
    );
    return entry;
  };
  return (issuer: Issuer): Entry => {
    const before = entries.get(issuer.name ?? '');
    if (before?.issuer === issuer) return before;
    failures.assertNone(issuer);
    if (before !== undefined) entries.replace(before);
    return start(issuer);
  };
};

/**
 * The providers of issuers: each is opened once when it is first used, and closed when it is idle or when its place is needed. A
 * provider with requests in progress is never closed.
 */
export const createPool = (options: PoolOptions) => {
  const { most, idleMs, worksAlone = () => false, onError } = options;
  const entries = createOpenEntries({ most, worksAlone, onError, now });
  const entryOf = createOpening(options, entries);
  let isClosed = false;

  const held = (entry: Entry, carnet: Carnet): Held => ({ carnet, release: () => entries.release(entry) });
  const timer =
    idleMs === undefined ? undefined : setInterval(entries.closeIdle, Math.min(idleMs, 30_000), idleMs).unref();

  return {
    /**
     * The provider of an issuer, which stays open until it is released.
     *
     * @throws CarnetError `too_busy` if it can't be opened, or could not be a moment ago
     */
    hold(issuer: Issuer): Eventually<Held> {
      if (isClosed) throw notOpened();
      const entry = entryOf(issuer);
      entry.holds += 1;
      if (entry.carnet !== undefined) return held(entry, entry.carnet);
      return entry.opening.then(
        (carnet) => held(entry, carnet),
        (error: unknown) => {
          throw notOpened(error);
        },
      );
    },
    /** Those that are open now. */
    open: entries.open,
    /** The issuers that are open now, or are being opened. */
    issuers: entries.issuers,
    /** Closes all. Requests in progress must have ended. */
    async close(): Promise<void> {
      isClosed = true;
      clearInterval(timer);
      await entries.closeAll();
    },
  };
};

export type Pool = ReturnType<typeof createPool>;
