import { hash, randomBytes } from 'node:crypto';
import { atMost, createWorkQueue } from '@carnet/adapter-contract/kit';
import { LRUCache } from 'lru-cache';
import { CarnetError } from '../errors.ts';
import { isFastHash, matchesFastHash, matchesSlowHash, maxSecretBytes } from './secret-hash.ts';

export interface SecretVerifierOptions {
  /** The maximum number of comparisons that wait. Further ones are refused. Default 64. */
  readonly maxPending?: number;
  /** Default 10,000. */
  readonly cacheEntries?: number;
  /** Default 60. */
  readonly cacheSeconds?: number;
  /** Compares a secret with a slow hash. Default `matchesSlowHash`. */
  readonly matches?: typeof matchesSlowHash;
  /** Milliseconds, monotonic. Default `performance.now`. */
  readonly now?: () => number;
}

export interface SecretVerifier {
  /**
   * Whether `secret` is one of the client's. Two slow hashes are computed at a time.
   * @throws CarnetError `too_busy` when too many comparisons wait, in total or of this client
   */
  verify(clientId: string, secret: string, encodedHashes: readonly string[]): boolean | Promise<boolean>;
}

const concurrency = 2;
/**
 * Comparisons of one client that may run or wait: a flood of wrong secrets for one client delays others only this much.
 */
const maxPerClient = 2;
const controlCharacters = /\p{Cc}/u;

/** D9 of the threat list: no secret is longer than a hash reads, or contains what a header cannot carry. */
const isPlausible = (secret: string): boolean =>
  secret.length > 0 && Buffer.byteLength(secret) <= maxSecretBytes && !controlCharacters.test(secret);

/** Compares all hashes, whichever matches: the time does not reveal which of the client's secrets was sent. */
const matchesFast = (secret: string, encodedHashes: readonly string[]): boolean =>
  encodedHashes.filter((encoded) => isFastHash(encoded) && matchesFastHash(secret, encoded)).length > 0;

/** Without it, a copy of the cache is useless. */
const processKey = randomBytes(32).toString('base64url');

/** Safe without an HMAC, which costs five times as much: digests never leave this process. */
const keyOf = (...parts: readonly string[]): string => {
  let text = processKey;
  // Each part follows its length: different lists of parts have different texts.
  for (const part of parts) text += `${part.length}:${part}`;
  return hash('sha256', text, 'base64url');
};

/**
 * Compares secrets with their hashes, and remembers the right ones for a minute. The stored hash is part of the cache
 * key, so that a secret which was replaced or revoked is forgotten at once.
 */
export const createSecretVerifier = (options: SecretVerifierOptions = {}): SecretVerifier => {
  const { maxPending = 64, cacheEntries = 10_000, cacheSeconds = 60, matches = matchesSlowHash, now } = options;
  const proven = new LRUCache<string, true>({
    ...atMost(cacheEntries),
    ttl: cacheSeconds * 1000,
    ttlResolution: 0,
    ...(now === undefined ? {} : { perf: { now } }),
  });
  const inFlight = new Map<string, Promise<boolean>>();
  const full = (): CarnetError =>
    new CarnetError('too_busy', 'Too many client secrets are being verified. Try again in a moment.');
  const queue = createWorkQueue({ concurrency, maxWaiting: maxPending, maxPerOwner: maxPerClient, full });

  const compare = async (clientId: string, secret: string, slowHashes: readonly string[]): Promise<boolean> => {
    for (const encoded of slowHashes) {
      if (!(await matches(secret, encoded))) continue;
      proven.set(keyOf(clientId, secret, encoded), true);
      return true;
    }
    return false;
  };

  const compareOnce = (clientId: string, secret: string, slowHashes: readonly string[]): Promise<boolean> => {
    const key = keyOf(clientId, secret, ...slowHashes);
    const running = inFlight.get(key);
    if (running !== undefined) return running;
    const work = () => compare(clientId, secret, slowHashes);
    const started = queue.run(clientId, work).finally(() => inFlight.delete(key));
    inFlight.set(key, started);
    return started;
  };

  return {
    verify(clientId, secret, encodedHashes) {
      if (!isPlausible(secret)) return false;
      if (matchesFast(secret, encodedHashes)) return true;
      const slowHashes = encodedHashes.filter((encoded) => !isFastHash(encoded));
      if (slowHashes.some((encoded) => proven.get(keyOf(clientId, secret, encoded)))) return true;
      return slowHashes.length > 0 && compareOnce(clientId, secret, slowHashes);
    },
  };
};
