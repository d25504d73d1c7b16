import { DirectoryError } from '@carnet/accounts/directory';
import type { Client, SearchOptions } from 'ldapts';
import { describeFailure, isServerDown, resultCodeOf } from './answers.ts';
import type { Connection } from './connection.ts';
import { TimeoutError, withDeadline } from './deadline.ts';
import type { Servers } from './servers.ts';
import { createSlots, type SlotsOptions } from './slots.ts';

export interface PoolOptions extends SlotsOptions {
  readonly servers: Pick<Servers, 'connect' | 'fail' | 'hasAnother'>;
  /** A connection that was idle for this long is checked by a search. Default: 30,000. */
  readonly checkAfterMs?: number;
}

export interface Pool {
  /**
   * Runs an operation on a connection that no other operation uses meanwhile. A kept connection that turns out to be closed
   * is replaced; a server that fails is replaced by another one. A `ResultCodeError` of the server is thrown as it is.
   *
   * @throws DirectoryError `unavailable` if no server answers in time
   */
  use<T>(step: string, run: (client: Client) => Promise<T>): Promise<T>;
  /** Closes idle connections to these servers. */
  discard(urls: readonly string[]): void;
  /** Closes idle connections now, and those in use after their operation. */
  close(): void;
}

/** The cheapest search that every server answers. */
const rootDse: SearchOptions = { scope: 'base', attributes: ['1.1'], sizeLimit: 1 };

/** Whether the error is an answer of the server: the connection can be used again, and the caller gets the error. */
const isAnswer = (error: unknown): boolean => {
  if (error instanceof DirectoryError) return true;
  const code = resultCodeOf(error);
  return code !== undefined && !isServerDown(code);
};

/** A pool of connections to the servers of a directory. */
export const createPool = (options: PoolOptions): Pool => {
  const { name, servers, timeoutMs, checkAfterMs = 30_000 } = options;
  const slots = createSlots(options);

  const discard = (urls: readonly string[]): void => {
    for (const connection of slots.takeWhere((kept) => urls.includes(kept.connection.url))) slots.drop(connection);
  };
  const giveUp = (url: string): void => {
    servers.fail(url);
    discard([url]);
  };

  const attempt = async <T>(step: string, run: (client: Client) => Promise<T>, isFresh: boolean): Promise<T> => {
    const { connection, wasKept } = await slots.take(isFresh);
    const { url } = connection;
    try {
      const result = await withDeadline(run(connection.client), timeoutMs, connection.close);
      slots.giveBack(connection);
      return result;
    } catch (error) {
      if (isAnswer(error)) {
        slots.giveBack(connection);
        throw error;
      }
      slots.drop(connection);
      const isLost = resultCodeOf(error) === undefined && !(error instanceof TimeoutError);
      // The server closed an idle connection, for example after its idle timeout. That is not a failure of the server.
      if (wasKept && isLost) return attempt(step, run, true);
      giveUp(url);
      if (servers.hasAnother(url)) return attempt(step, run, true);
      const message = `${url}: ${step}: ${describeFailure(error)}`;
      throw new DirectoryError('unavailable', name, message, { cause: error });
    }
  };

  const check = async (connection: Connection): Promise<void> => {
    try {
      await withDeadline(connection.client.search('', rootDse), timeoutMs, connection.close);
      slots.giveBack(connection);
    } catch (error) {
      if (isAnswer(error)) return slots.giveBack(connection);
      slots.drop(connection);
      if (error instanceof TimeoutError) giveUp(connection.url);
    }
  };
  const checkIdle = (): void => {
    const due = slots.takeWhere(({ idleSince }) => Date.now() - idleSince >= checkAfterMs);
    for (const connection of due) void check(connection);
  };
  const timer = setInterval(checkIdle, checkAfterMs).unref();

  return {
    use: (step, run) => attempt(step, run, false),
    discard,
    close() {
      clearInterval(timer);
      slots.close();
    },
  };
};
