import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';

/** A Lua script, which Redis runs alone and whole. */
export interface Script {
  readonly lua: string;
  readonly sha1: string;
}

export const createScript = (lua: string): Script => ({ lua, sha1: createHash('sha1').update(lua).digest('hex') });

const isUnknownScript = (error: unknown): boolean => error instanceof Error && error.message.startsWith('NOSCRIPT');

/** Sends something right behind what was sent, and answers for both. */
export type FollowUp = (sent: Promise<unknown>) => Promise<unknown>;

/** Runs a script by its hash. If the server does not have it, the script has not run, and is sent in full. */
export const runScript = async (
  client: Redis,
  script: Script,
  keys: readonly string[],
  args: readonly string[],
  followUp: FollowUp = (sent) => sent,
): Promise<unknown> => {
  const run = () => followUp(client.call('EVALSHA', [script.sha1, keys.length, ...keys, ...args]));
  try {
    return await run();
  } catch (error) {
    if (!isUnknownScript(error)) throw error;
    await client.call('SCRIPT', ['LOAD', script.lua]);
    return run();
  }
};
