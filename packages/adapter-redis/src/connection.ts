import { StoreUnfitError } from '@carnet/adapter-contract';
import { type Deadline, deadlineIn, TimeoutError, within } from '@carnet/adapter-contract/kit';
import type { Redis } from 'ioredis';
import { explain } from './refusal.ts';
import type { Send } from './server.ts';

export interface ConnectionOptions {
  /** A client that is not connected yet. */
  readonly createClient: () => Redis;
  /** Throws unless the server is fit for use. */
  readonly check: (client: Redis) => Promise<void>;
  /** The time limit of connecting and of the first check. */
  readonly attemptMilliseconds: number;
}

/** A connection to one server, opened on demand and reopened after a loss. */
export interface Connection {
  /** A client that is connected to a server that was found fit. When this throws, nothing has been sent. */
  attach(deadline: Deadline): Promise<Redis>;
  /** Sends a command. A client that does not answer in time, or reports that it is unfit, is not used again. */
  send<T>(client: Redis, send: Send<T>, deadline: Deadline): Promise<T>;
  close(): Promise<void>;
}

/** How long the result of the fitness check is valid. The next call repeats the check in the same round trip. */
const checkEveryMilliseconds = 1_000;

/** After a failure to connect, calls fail immediately for this time, so that they do not queue up. */
const pauseAfter = (failures: number): number => Math.min(50 * 2 ** failures, 1_000);

/** A server that is no longer fit, or that may still answer calls that have timed out. */
const isFinal = (error: unknown): boolean =>
  error instanceof StoreUnfitError ||
  error instanceof TimeoutError ||
  (error instanceof Error && /\b(READONLY|LOADING|MASTERDOWN|NOAUTH|UNBLOCKED)\b/.test(error.message));

/** The commands of one turn of the event loop are sent in one write, after all sockets of the turn were read. */
const gatherWrites = ({ stream }: Redis): void => {
  if (stream.writableCorked > 0) return;
  stream.cork();
  setImmediate(() => stream.uncork());
};

const connect = async (client: Redis, check: ConnectionOptions['check']): Promise<Redis> => {
  // An error before the connection is ready says why it is not; one after it is followed by the connection's end.
  let cause: Error | undefined;
  client.on('error', (error: Error) => {
    cause ??= error;
  });
  await client.connect().catch((error: unknown) => {
    throw cause ?? error;
  });
  // A database that does not exist is reported and then not selected: this would be another one.
  if (cause) throw cause;
  await check(client);
  return client;
};

/** Refuses further attempts for a while after each failure. */
const createPause = () => {
  let failure: { readonly error: unknown; readonly until: number } | undefined;
  let failures = 0;
  return {
    /** The error of the last attempt, while the pause lasts. */
    error: (): unknown => (failure && performance.now() < failure.until ? failure.error : undefined),
    begin(error: unknown): unknown {
      failure = { error: explain(error), until: deadlineIn(pauseAfter(failures++)) };
      return failure.error;
    },
    reset() {
      failures = 0;
    },
  };
};

/** Checks a connection again from time to time, and drops one that fails. */
const createRecheck = (check: ConnectionOptions['check'], drop: (client: Redis) => void) => {
  let checkedAt = 0;
  return {
    passed() {
      checkedAt = performance.now();
    },
    run: (client: Redis): Promise<void> | undefined => {
      if (performance.now() - checkedAt < checkEveryMilliseconds) return undefined;
      checkedAt = performance.now();
      return check(client).catch((error: unknown) => {
        drop(client);
        throw error;
      });
    },
  };
};

export const openConnection = ({ createClient, check, attemptMilliseconds }: ConnectionOptions): Connection => {
  let current: { readonly client: Redis; readonly connected: Promise<Redis> } | undefined;
  const pause = createPause();
  let closed = false;

  /** Once: many calls may find out about the same failure. */
  const drop = (client: Redis) => {
    if (current?.client !== client) return;
    current = undefined;
    client.disconnect();
  };
  const recheck = createRecheck(check, drop);

  const attempt = async (client: Redis): Promise<Redis> => {
    try {
      await within(deadlineIn(attemptMilliseconds), connect(client, check));
      recheck.passed();
      pause.reset();
      return client;
    } catch (error) {
      drop(client);
      throw pause.begin(error);
    }
  };

  const reach = (): Promise<Redis> => {
    if (closed) return Promise.reject(new Error('The Redis store is closed.'));
    if (current) return current.connected;
    const failure = pause.error();
    if (failure !== undefined) return Promise.reject(failure);
    const client = createClient();
    client.once('close', () => drop(client));
    const connected = attempt(client);
    current = { client, connected };
    return connected;
  };

  return {
    attach: (deadline) => within(deadline, reach()),
    async send(client, send, deadline) {
      try {
        gatherWrites(client);
        const [answer] = await within(deadline, Promise.all([send(client), recheck.run(client)]));
        return answer;
      } catch (error) {
        if (isFinal(error)) drop(client);
        throw explain(error);
      }
    },
    async close() {
      closed = true;
      const client = await current?.connected.catch(() => undefined);
      // Answers what was sent before it.
      await within(deadlineIn(attemptMilliseconds), client?.quit() ?? Promise.resolve('OK')).catch(() => undefined);
      if (client) drop(client);
    },
  };
};
