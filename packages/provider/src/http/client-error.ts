import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { jsonContentType } from './error-body.ts';
import { securityHeaders } from './security-headers.ts';

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
 * Answer what Node's parser could not read. Written by hand, for there is no ServerResponse to write to.
 * @param isAnswering whether a response is on its way, into which nothing may be written
 */
export const answerClientError = (error: NodeJS.ErrnoException, socket: Duplex, isAnswering: boolean): void => {
  if (error.code === 'ECONNRESET' || !socket.writable || isAnswering) {
    socket.destroy();
    return;
  }
  socket.end(serialise(refusals[error.code ?? ''] ?? malformed));
};
