import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { CarnetError } from '../errors.ts';
import type { ConnectHandler } from './public-handler.ts';

/** The headers of one connection (RFC 9110, section 7.6.1): a Web Request and a Web Response have none. */
const ofConnection: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'transfer-encoding']);

/** The statuses whose responses have no body (WHATWG Fetch, "null body status"). */
const withoutBody: ReadonlySet<number> = new Set([204, 205, 304]);

/** A connection in memory: it has the address of the client, and keeps the bytes of the response. */
const createConnection = (address: string | undefined, received: Buffer[]): Socket => {
  const connection = new Duplex({
    read: () => {},
    write: (chunk: Buffer, _encoding, done) => {
      received.push(chunk);
      done();
    },
  });
  connection.on('error', () => {}); // The promise of the exchange reports it.
  return Object.assign(connection, { remoteAddress: address }) as unknown as Socket;
};

const wrongLength = (): CarnetError =>
  new CarnetError('invalid_request', 'The body of the request does not have the length of its Content-Length header.');

/**
 * Lets a handler read the body of a request, only as fast as it does. Returns a function that cancels the rest.
 *
 * Handlers decide by Content-Length, which Node.js enforces for its own requests: so does this function.
 */
const provideBody = (request: Request, message: IncomingMessage, fail: (error: Error) => void): (() => void) => {
  const reader = request.body?.getReader();
  const { 'content-length': length } = message.headers;
  let missing = length === undefined ? undefined : Number(length);
  message._read = (size) => {
    IncomingMessage.prototype._read.call(message, size); // It allows reads ahead of the handler.
    const next = reader?.read() ?? Promise.resolve({ done: true as const, value: undefined });
    next.then(({ done, value }) => {
      if (missing !== undefined) missing -= value?.byteLength ?? 0;
      if (missing !== undefined && (done ? missing !== 0 : missing < 0)) return fail(wrongLength());
      if (done) message.complete = true;
      message.push(done ? null : value);
    }, fail);
  };
  return () => void reader?.cancel().catch(() => {});
};

const toMessage = (request: Request, connection: Socket): IncomingMessage => {
  const url = new URL(request.url);
  const message = new IncomingMessage(connection);
  const headers = new Headers(request.headers);
  if (!headers.has('host')) headers.set('host', url.host);
  for (const name of ofConnection) headers.delete(name);
  // As Node.js parses it: without a length, only a chunked request has a body.
  if (request.body !== null && !headers.has('content-length')) headers.set('transfer-encoding', 'chunked');
  for (const [name, value] of headers) {
    message.headers[name] = value;
    message.rawHeaders.push(name, value);
  }
  return Object.assign(message, {
    method: request.method,
    url: url.pathname + url.search,
    httpVersion: '1.1',
    httpVersionMajor: 1,
    httpVersionMinor: 1,
  });
};

/** Node.js has written the bytes, so the head is well-formed: a header cannot contain a line break. */
const toResponse = (bytes: Buffer<ArrayBuffer>, { req }: ServerResponse): Response => {
  const end = bytes.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const status = Number(statusLine.split(' ')[1]);
  const headers = new Headers();
  for (const line of lines) {
    const [name = ''] = line.split(':', 1);
    if (!ofConnection.has(name.toLowerCase())) headers.append(name, line.slice(name.length + 1).trim());
  }
  const hasBody = req.method !== 'HEAD' && !withoutBody.has(status);
  return new Response(hasBody ? bytes.subarray(end + 4) : null, { status, headers });
};

/**
 * Answers a Web Request by a handler of Node.js, which writes a complete response to a connection in memory.
 *
 * @param address the IP address of the client, if it is known
 * @throws the reason of an aborted request, or the error of its body; CarnetError `invalid_request` if the body does not
 * have the length that its header declares
 */
export const exchange = (handler: ConnectHandler, request: Request, address?: string): Promise<Response> =>
  new Promise((resolve, reject) => {
    request.signal.throwIfAborted();
    const received: Buffer<ArrayBuffer>[] = [];
    const connection = createConnection(address, received);
    const message = toMessage(request, connection);
    const response = new ServerResponse(message);
    const fail = (error: unknown) => {
      reject(error);
      message.destroy();
    };
    const abort = () => fail(request.signal.reason);
    const cancelBody = provideBody(request, message, fail);
    const end = () => {
      request.signal.removeEventListener('abort', abort);
      cancelBody();
      connection.destroy();
    };
    response.useChunkedEncodingByDefault = false; // The end of the connection ends a body of unknown length.
    response.sendDate = false; // The server of the host application adds it.
    response.assignSocket(connection);
    response.once('finish', () => {
      resolve(toResponse(Buffer.concat(received), response));
      end();
    });
    connection.once('close', () => {
      end();
      reject(new CarnetError('server_error', 'The connection was closed before the response was complete.'));
    });
    request.signal.addEventListener('abort', abort);
    handler(message, response);
  });
