import { DirectoryError } from '@carnet/accounts/directory';
import type { Client } from 'ldapts';
import { describeFailure } from './answers.ts';
import { withDeadline } from './deadline.ts';
import type { ServerUrl } from './server-url.ts';
import { createClient, openTcp, openTls, requestStartTls } from './socket.ts';

/** A connection to one server. One operation uses it at a time. */
export interface Connection {
  readonly url: string;
  readonly client: Client;
  isOpen(): boolean;
  close(): void;
}

export interface ConnectionSettings {
  /** The name of the directory, for errors. */
  readonly name: string;
  readonly ca?: string;
  /** The time for each step. A server that takes longer than 3 seconds to connect has failed. */
  readonly timeoutMs: number;
  /** The service account. Absent: the connection stays anonymous. */
  readonly account?: { readonly dn: string; readonly password: string };
}

/** Runs one step. The caller decides what a failure means. */
export type Step = <T>(step: string, run: () => Promise<T>) => Promise<T>;

const longestStepMs = 3_000;

const throwing =
  (name: string, url: string): Step =>
  async (step, run) => {
    try {
      return await run();
    } catch (error) {
      throw new DirectoryError('unavailable', name, `${url}: ${step}: ${describeFailure(error)}`, { cause: error });
    }
  };

const closeClient = (client: Client, destroy: () => void): void => {
  // `unbind` ends the socket after the request; a server that does not read is left without it.
  client.unbind().then(destroy, destroy);
  setTimeout(destroy, 1_000).unref();
};

/** Connects, secures the connection, and binds. Sends no password before the certificate is verified. */
export const openConnection = async (
  server: ServerUrl,
  { name, ca, account, ...settings }: ConnectionSettings,
  step: Step = throwing(name, server.url),
): Promise<Connection> => {
  const timeoutMs = Math.min(settings.timeoutMs, longestStepMs);
  let socket = await step('connect', () => openTcp(server, timeoutMs));
  if (server.security === 'startTls') {
    const plain = socket;
    socket = await step('starttls', () => requestStartTls(plain, timeoutMs));
  }
  if (server.security !== 'none') {
    const plain = socket;
    socket = await step('tls', () => openTls(plain, server, { ca }, timeoutMs));
  }
  const client = createClient(socket);
  if (account !== undefined) {
    await step('bind', () =>
      withDeadline(client.bind(account.dn, account.password), timeoutMs, () => socket.destroy()),
    );
  }
  return {
    url: server.url,
    client,
    isOpen: () => !socket.destroyed && socket.writable,
    close: () => closeClient(client, () => socket.destroy()),
  };
};
