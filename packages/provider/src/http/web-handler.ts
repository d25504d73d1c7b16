import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import { CarnetError } from '../errors.ts';
import type { HttpConfig } from './config.ts';
import { nothingHere, type PublicHandler, type Respond } from './public-handler.ts';
import type { CompleteResponse } from './response.ts';

export interface WebRequestOptions {
  /**
   * The IP address of the connection, as the server of the host application knows it. Behind a proxy it is the address
   * of the proxy: `http.trustedProxies` decides whether Carnet accepts the headers about the client.
   */
  readonly address?: string;
}

export type WebHandler = (request: Request, options?: WebRequestOptions) => Promise<Response>;

/** The headers of one connection (RFC 9110, section 7.6.1): a Web Request has none. */
const ofConnection: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'transfer-encoding']);

const wrongLength = (): CarnetError =>
  new CarnetError('invalid_request', 'The body of the request does not have the length of its Content-Length header.');

/**
 * The body of a request, read as fast as the endpoint reads it.
 *
 * Endpoints decide by Content-Length, which Node.js enforces for its own requests: so does this function.
 */
const readBody = async function* (
  reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
  length: string | null,
): AsyncGenerator<Buffer> {
  let missing = length === null ? undefined : Number(length);
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (missing !== undefined) missing -= value?.byteLength ?? 0;
    if (missing !== undefined && (done ? missing !== 0 : missing < 0)) throw wrongLength();
    if (done || value === undefined) return;
    yield Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  }
};

const headersOf = (request: Request, host: string): Headers => {
  const headers = new Headers(request.headers);
  if (!headers.has('host')) headers.set('host', host);
  for (const name of ofConnection) headers.delete(name);
  // As Node.js parses it: without a length, only a chunked request has a body.
  if (request.body !== null && !headers.has('content-length')) headers.set('transfer-encoding', 'chunked');
  return headers;
};

/** The members of a message that endpoints read. */
const toMessage = (request: Request, body: AsyncGenerator<Buffer>, address: string | undefined): IncomingMessage => {
  const { host, pathname, search } = new URL(request.url);
  const headers = headersOf(request, host);
  const message = {
    method: request.method,
    url: pathname + search,
    headers: Object.fromEntries(headers),
    rawHeaders: [...headers].flat(),
    socket: { remoteAddress: address },
  };
  return Object.assign(Readable.from(body, { objectMode: false }), message) as unknown as IncomingMessage;
};

const toResponse = (method: string, { status, headers: own, text }: CompleteResponse): Response => {
  // Checked here: servers of other runtimes replace `Response` by one that checks its headers late.
  const headers = new Headers();
  for (const [name, value] of Object.entries(own)) for (const one of [value].flat()) headers.append(name, String(one));
  return new Response(method === 'HEAD' ? null : (text ?? null), { status, headers });
};

/**
 * Answers a Web Request.
 *
 * @param address the IP address of the client, if it is known
 * @throws the reason of an aborted request, or the error of its body; CarnetError `invalid_request` if the body does not
 * have the length that its header declares
 */
export const exchange = (handler: PublicHandler, request: Request, address?: string): Promise<Response> =>
  new Promise((resolve, reject) => {
    request.signal.throwIfAborted();
    const reader = request.body?.getReader();
    const message = toMessage(request, readBody(reader, request.headers.get('content-length')), address);
    const cancelBody = () => void reader?.cancel().catch(() => {});
    const abort = () => {
      reject(request.signal.reason);
      cancelBody();
      message.destroy(new Error('The request was aborted.'));
    };
    const respond: Respond = (response, onSent) => {
      resolve(toResponse(request.method, response));
      message.destroy();
      onSent?.();
    };
    message.once('error', reject);
    message.once('close', () => {
      request.signal.removeEventListener('abort', abort);
      cancelBody();
    });
    request.signal.addEventListener('abort', abort);
    if (!handler(message, {}, respond)) respond(nothingHere);
  });

/** The settings that use the connection of a request. */
interface ConnectionSettings {
  readonly mtls: { readonly enabled: boolean };
  readonly http: Pick<HttpConfig, 'clientCertificateHeader' | 'trustedProxies'>;
}

/** The reason to refuse a request; undefined if it is accepted. */
const refusal = ({ mtls, http }: ConnectionSettings, { bodyUsed }: Request, { address }: WebRequestOptions) => {
  if (mtls.enabled && http.clientCertificateHeader === undefined)
    return 'features.mtls: a Web Request has no TLS connection, so carnet.fetch() cannot see client certificates. Let a proxy forward them (http.clientCertificateHeader, http.trustedProxies), or mount carnet.callback() on a server of node:https.';
  if (address === undefined && http.trustedProxies.length > 0)
    return 'http.trustedProxies: a Web Request has no address, so carnet.fetch() cannot know whether a trusted proxy sent it. Pass the address of the connection: carnet.fetch(request, { address }).';
  if (address !== undefined && isIP(address) === 0)
    return 'carnet.fetch(request, { address }): address must be an IP address without a port.';
  if (bodyUsed) return 'carnet.fetch(request): the body of the request was already read. Pass the request unread.';
  return undefined;
};

/**
 * A handler of Web Requests. A configuration that uses what a Web Request does not have is refused at each call.
 *
 * @throws CarnetError `server_error`: the program must change, as the message describes
 */
export const createWebHandler =
  (handler: PublicHandler, settings: ConnectionSettings): WebHandler =>
  async (request, options = {}) => {
    const problem = refusal(settings, request, options);
    if (problem !== undefined) throw new CarnetError('server_error', problem);
    return exchange(handler, request, options.address);
  };
