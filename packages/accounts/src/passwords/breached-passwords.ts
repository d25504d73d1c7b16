import { createHash } from 'node:crypto';
import { createWorkQueue } from '@carnet/adapter-contract/kit';
import type { NewPasswordCheck } from '../store/password-rules.ts';

export interface BreachedPasswordsOptions {
  /** The URL before the first five digits of the hash: `https://api.pwnedpasswords.com/range/`. */
  readonly url: string;
  /** The longest time of a check, with the wait for its turn. Default 2,000. */
  readonly timeoutMs?: number;
}

/** The longest answer that is read. One of Have I Been Pwned has about 100 KB. */
const longestAnswer = 1_000_000;

/** Requests to the service at the same time. Further ones wait: a flood of sign-ups must not open a connection each. */
const concurrentRequests = 8;

const read = async (url: string, signal: AbortSignal): Promise<string> => {
  const response = await fetch(url, {
    // The answer is padded with random lines, so that its length does not reveal the prefix on the network.
    headers: { 'add-padding': 'true', 'user-agent': 'carnet' },
    redirect: 'error',
    signal,
  });
  if (!response.ok) {
    // Without this, the connection stays open until the body has arrived, or garbage is collected.
    await response.body?.cancel();
    throw new Error(`the service answered ${response.status}`);
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > longestAnswer) throw new Error('the answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('latin1');
};

/**
 * Refuses passwords of known data leaks: asks the range API of Have I Been Pwned, or of a copy of it. The service gets the first
 * five hexadecimal digits of the SHA-1 hash (20 of 160 bits), and answers with the rest of each leaked hash that begins with
 * them.
 *
 * @throws Error if the service does not answer, or not in this format
 */
export const createBreachedPasswordCheck = ({ url, timeoutMs = 2_000 }: BreachedPasswordsOptions): NewPasswordCheck => {
  const queue = createWorkQueue({ concurrency: concurrentRequests });
  return async (password) => {
    const hash = createHash('sha1').update(password, 'utf8').digest('hex').toUpperCase();
    const signal = AbortSignal.timeout(timeoutMs);
    // The calls before this one have ended when its time is over: it then gets its turn, and sends no request.
    const answer = await queue.run('range', () => read(`${url}${hash.slice(0, 5)}`, signal));
    const lines = answer.split(/\r?\n/).filter((line) => line !== '');
    if (!lines.every((line) => /^[\dA-F]{35}:\d+$/i.test(line))) throw new Error('the answer is not a list of hashes');
    const found = lines.find((line) => line.slice(0, 35).toUpperCase() === hash.slice(5));
    // Lines with a count of 0 are padding.
    return found === undefined || /:0+$/.test(found)
      ? undefined
      : 'The password is in a known data leak, which attackers try first.';
  };
};
