import type { Context } from 'koa';
import { sidOf } from '../flow/flow-id.ts';
import { stateOf } from '../library/request-state.ts';
import { findSuccessor } from '../sessions/session-clients.ts';
import { sessionKey, successorKey } from '../sessions/session-record.ts';
import type { Stopped } from './refresh-reuse.ts';

/**
 * Redeems a code whose user has signed in again in the same browser, so that another session continues its session. The
 * client is added to the record of the session whose `sid` its ID token has, where a logout finds the client.
 *
 * Returns whether the tokens were written. The merge into the latest session is what makes this safe: it fails once that
 * has ended, so that no code outlives a logout (D4).
 */
export const joinSuccessor = async (ctx: Context, { conflict: { write }, undone }: Stopped): Promise<boolean> => {
  const { flow, uow, onCommitted } = stateOf(ctx);
  if (flow === undefined || write.type !== 'merge') return false;
  const former = sidOf(flow);
  const latest = await findSuccessor(uow.read, former);
  if (latest === undefined) return false;
  uow.write({ type: 'merge', key: successorKey(former), members: write.members });
  uow.write({ type: 'merge', key: sessionKey(latest), members: [] });
  for (const each of undone) uow.write(each);
  if ((await uow.commit('succeeded')) !== undefined) return false;
  onCommitted?.();
  return true;
};
