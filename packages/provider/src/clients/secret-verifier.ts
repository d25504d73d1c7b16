import { hash, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { createWorkQueue } from '../concurrency/work-queue.ts';
import { CarnetError } from '../errors.ts';
import { isFastHash, matchesFastHash, matchesSlowHash, maxSecretBytes } from './secret-hash.ts';

export interface SecretVerifierOptions {
  /** So many comparisons may wait for their turn; the next is refused. Default 64. */
  readonly maxPending?: number;
  /** Default 10,000. */
  readonly cacheEntries?: number;
  /** Default 60. */
  readonly cacheSeconds?: number;
  /** Milliseconds, monotonic. Default `performance.now`. */
  readonly now?: () => number;
}

export interface SecretVerifier {
  /**
   * Is `secret` one of the client's? Slow hashes are compared two at a time, and for two secrets of one client.
   * @throws CarnetError `too_busy` when more are waiting than may, in all or for this client
   */
  verify(clientId: string, secret: string, encodedHashes: readonly string[]): Promise<boolean>;
  /** Whether `secret` is known to be one of the client's without a slow hash: `false` says nothing about it. */
  isProven(clientId: string, secret: string, encodedHashes: readonly string[]): boolean;
  stats(): SecretVerifierStats;
}

export interface SecretVerifierStats {
  /** Slow hashes computed. */
  readonly hashed: number;
  readonly cacheHits: number;
  readonly cached: number;
  /** Refused without a comparison, because too many were waiting, in all or for one client. */
  readonly refused: number;
  readonly waiting: number;
}

const concurrency = 2;
/** A flood of wrong secrets for one client holds no more of the queue than this: others wait behind these at most. */
const maxPerClient = 2;
const controlCharacters = /\p{Cc}/u;

/** D9 of the threat list: what a hash would cut off or a header could not carry is no secret of anybody. */
const isPlausible = (secret: string): boolean =>
  secret.length > 0 && Buffer.byteLength(secret) <= maxSecretBytes && !controlCharacters.test(secret);

const createKeys = (): ((...parts: readonly string[]) => string) => {
  // Lives as long as the process: what the cache holds is of no use to a reader of its memory dump without the key,
  // and of none at all elsewhere.
  const key = randomBytes(32).toString('base64url');
  return (...parts) => {
    // Each part behind its length: no two lists of parts make the same text.
    let text = key;
    for (const part of parts) text += `${part.length}:${part}`;
    // No HMAC, which costs five times as much: digests stay in this process, so that nobody could lengthen one.
    return hash('sha256', text, 'base64url');
  };
};

/**
 * Compares secrets with their hashes, and remembers for a minute which were right. The stored hash is part of the
 * cache's key: a secret that was replaced or withdrawn is not asked for any more, and so is forgotten at once.
 */
export const createSecretVerifier = (options: SecretVerifierOptions = {}): SecretVerifier => {
  const { maxPending = 64, cacheEntries = 10_000, cacheSeconds = 60, now } = options;
  const keyOf = createKeys();
  const proven = new LRUCache<string, true>({
    max: cacheEntries,
    ttl: cacheSeconds * 1000,
    ttlResolution: 0,
    ...(now === undefined ? {} : { perf: { now } }),
  });
  const inFlight = new Map<string, Promise<boolean>>();
  const counts = { hashed: 0, cacheHits: 0, refused: 0 };
  const queue = createWorkQueue({
    concurrency,
    maxWaiting: maxPending,
    maxPerOwner: maxPerClient,
    full: () => {
      counts.refused++;
      return new CarnetError('too_busy', 'Too many client secrets are being verified. Try again in a moment.');
    },
  });

  const compare = async (clientId: string, secret: string, slowHashes: readonly string[]): Promise<boolean> => {
    for (const encoded of slowHashes) {
      counts.hashed++;
      if (!(await matchesSlowHash(secret, encoded))) continue;
      proven.set(keyOf(clientId, secret, encoded), true);
      return true;
    }
    return false;
  };

  const compareOnce = (clientId: string, secret: string, slowHashes: readonly string[]): Promise<boolean> => {
    const key = keyOf(clientId, secret, ...slowHashes);
    const running = inFlight.get(key);
    if (running !== undefined) return running;
    const started = queue
      .run(clientId, () => compare(clientId, secret, slowHashes))
      .finally(() => inFlight.delete(key));
    inFlight.set(key, started);
    return started;
  };

  const isProven = (clientId: string, secret: string, encodedHashes: readonly string[]): boolean => {
    if (!isPlausible(secret)) return false;
    // All of them, whichever matches: the time does not tell which of the client's secrets was meant.
    const isFastMatch =
      encodedHashes.filter((encoded) => isFastHash(encoded) && matchesFastHash(secret, encoded)).length > 0;
    if (isFastMatch) return true;
    const isRemembered = encodedHashes.some(
      (encoded) => !isFastHash(encoded) && proven.get(keyOf(clientId, secret, encoded)) === true,
    );
    if (isRemembered) counts.cacheHits++;
    return isRemembered;
  };

  return {
    verify: async (clientId, secret, encodedHashes) => {
      if (isProven(clientId, secret, encodedHashes)) return true;
      const slowHashes = encodedHashes.filter((encoded) => !isFastHash(encoded));
      return slowHashes.length > 0 && isPlausible(secret) && compareOnce(clientId, secret, slowHashes);
    },
    isProven,
    stats: () => ({ ...counts, cached: proven.size, waiting: queue.waiting }),
  };
};
