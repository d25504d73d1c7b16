import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { Client } from 'ldapts';
import { type ServerUrl, tlsName } from './server-url.ts';

/** Ignores later errors of the socket: without a listener, they would end the process. */
const quiet = <T extends Socket>(socket: T): T => socket.on('error', () => {});

const opened = async <T extends Socket>(socket: T, event: string, timeoutMs: number): Promise<T> => {
  const deadline = AbortSignal.timeout(timeoutMs);
  try {
    await once(socket, event, { signal: deadline });
    return quiet(socket);
  } catch (error) {
    quiet(socket).destroy();
    throw deadline.aborted ? new Error(`no answer within ${timeoutMs} ms`) : error;
  }
};

/** The TCP connection. */
export const openTcp = ({ host, port }: ServerUrl, timeoutMs: number): Promise<Socket> =>
  opened(connect({ host, port, noDelay: true, keepAlive: true }), 'connect', timeoutMs);

/** Adds TLS. Node.js verifies the chain and the name of the certificate, and refuses the connection otherwise. */
export const openTls = async (
  socket: Socket,
  { host }: ServerUrl,
  tls: Pick<ConnectionOptions, 'ca'>,
  timeoutMs: number,
): Promise<Socket> => {
  try {
    return await opened(connectTls({ ...tls, ...tlsName(host), socket }), 'secureConnect', timeoutMs);
  } catch (error) {
    socket.destroy();
    throw error;
  }
};

/** A client on a connected socket. The client never reconnects, because ldapts would do so without TLS and without bind. */
export const createClient = (socket: Socket): Client => {
  let isTaken = false;
  const takeSocket = (): Socket => {
    if (isTaken) throw new Error('the connection is closed');
    isTaken = true;
    return socket;
  };
  return new Client({ url: 'ldap://connected', createConnection: takeSocket as typeof connect });
};

const startTlsOid = '1.3.6.1.4.1.1466.20037';

/**
 * Requests StartTLS and returns the socket for the handshake. Bytes that the server sent in clear text after its
 * answer are dropped together with the client, so that they are never read as an answer over TLS.
 */
export const requestStartTls = async (socket: Socket, timeoutMs: number): Promise<Socket> => {
  const timer = setTimeout(() => socket.destroy(new Error(`no answer to StartTLS within ${timeoutMs} ms`)), timeoutMs);
  try {
    await createClient(socket).exop(startTlsOid);
    for (const event of ['data', 'close', 'timeout']) socket.removeAllListeners(event);
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
  }
};
