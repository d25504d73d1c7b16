import { setTimeout as delay } from 'node:timers/promises';
import type { StorageAdapter } from '@carnet/adapter-contract';
import { findSuccessor } from '../sessions/session-clients.ts';
import { sessionKey, successorKey } from '../sessions/session-record.ts';
import type { StoppedCommit } from '../storage/stopped-commit.ts';
import type { RequestStore } from './grant.ts';

/**
 * A store whose commits are not atomic writes the successor of a session shortly after the session is consumed. A code that
 * is redeemed in between waits this long before it looks for the successor.
 */
const successorMs = 50;

/**
 * Redeems a code whose user has signed in again in the same browser, so that another session continues its session. The
 * client is added to the record of the session whose `sid` its ID token has, where a logout finds the client.
 *
 * The merge into the latest session fails once that session has ended, so that no code outlives a logout (D4). If the
 * latest login is not remembered, the code is redeemed as one of such a login.
 *
 * @returns whether the tokens were written
 */
export const joinSuccessor = async (
  store: RequestStore,
  former: string,
  { conflict: { write }, undone }: StoppedCommit,
  { atomicCommit }: Pick<StorageAdapter['capabilities'], 'atomicCommit'>,
): Promise<boolean> => {
  if (write.type !== 'merge') return false;
  if (atomicCommit !== 'all') await delay(successorMs);
  const latest = await findSuccessor(async (key) => (await store.read([key]))[0], former);
  if (latest === undefined) return false;
  const stopped = await store.commit([
    { type: 'merge', key: successorKey(former), members: write.members },
    ...(latest.sid === undefined ? [] : [{ type: 'merge', key: sessionKey(latest.sid), members: [] } as const]),
    ...undone,
  ]);
  return stopped === undefined;
};
