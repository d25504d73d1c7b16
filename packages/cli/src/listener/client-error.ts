import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { jsonContentType, securityHeaders } from '@carnet/provider/server';

interface Refusal {
  readonly status: number;
  readonly description: string;
}

const malformed: Refusal = { status: 400, description: 'The request is not well-formed HTTP.' };
const refusals: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: { status: 431, description: "The request's headers are larger than 16 KB. Too many cookies?" },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, description: "The request's chunk extensions are too large." },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, description: 'The request did not arrive in time.' },
};

const serialise = ({ status, description }: Refusal): string => {
  const body = JSON.stringify({ error: 'invalid_request', error_description: description });
  const headers = {
    ...securityHeaders,
    Connection: 'close',
    'Content-Type': jsonContentType,
    'Content-Length': String(Buffer.byteLength(body)),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
};

/**
 * How long a refused client may still send data. A connection with unread bytes is reset, and the client may lose the
 * response.
 */
const lingerMs = 1_000;

const refused = new WeakSet<Duplex>();

const refuse = (code: string, socket: Duplex): void => {
  refused.add(socket);
  const destroy = (): void => void socket.destroy();
  // The parser still accepts the rest of a late request. Without a connection, no request is carried out after its 408.
  const isLate = code === 'ERR_HTTP_REQUEST_TIMEOUT';
  socket.end(serialise(refusals[code] ?? malformed), isLate ? destroy : undefined);
  // The socket allows half-open connections: a client that never closes its side would keep the descriptor.
  const timer = setTimeout(destroy, lingerMs);
  socket.once('close', () => clearTimeout(timer));
};

/**
 * Answers a request that Node's parser rejected, and closes the connection. It writes to the socket, because there is
 * no
 * ServerResponse.
 * @param isAnswering whether a response was begun, into which nothing may be written
 */
export const answerClientError = (error: NodeJS.ErrnoException, socket: Duplex, isAnswering: boolean): void => {
  const { code = '' } = error;
  // The parser reports the same error again for every byte that follows.
  if (refused.has(socket) && code !== 'ECONNRESET') return;
  if (code === 'ECONNRESET' || !socket.writable || isAnswering) socket.destroy();
  else refuse(code, socket);
};
