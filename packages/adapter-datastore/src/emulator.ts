import type { Deadline } from '@carnet/adapter-contract/kit';
import type { Connection } from './connection.ts';
import type { Messages, Method, ReadOptions } from './wire.ts';

const begins = (
  request: object,
): request is { readonly readOptions: Extract<ReadOptions, { newTransaction: unknown }> } =>
  'readOptions' in request &&
  typeof request.readOptions === 'object' &&
  'newTransaction' in (request.readOptions ?? {});

/**
 * The same connection for Google's emulator: it begins each transaction by a request of its own. In the emulator (of the
 * Google Cloud CLI 528), a transaction that begins with a read waits for its own read locks at its commit, which always fails.
 */
export const forEmulator = (connection: Connection): Connection => ({
  async call<M extends Method>(method: M, request: Messages[M][0], deadline: Deadline): Promise<Messages[M][1]> {
    if (!begins(request)) return connection.call(method, request, deadline);
    const transactionOptions = request.readOptions.newTransaction;
    const { transaction } = await connection.call('beginTransaction', { transactionOptions }, deadline);
    const response = await connection.call(method, { ...request, readOptions: { transaction } }, deadline);
    return Object.assign(response, { transaction });
  },
  close: () => connection.close(),
});
