import type { IncomingMessage } from 'node:http';
import { CarnetError } from '../errors.ts';

const tooLarge = (maxBytes: number): CarnetError =>
  new CarnetError('payload_too_large', `The request body is larger than ${maxBytes} bytes.`);

const brokenOff = (cause?: unknown): CarnetError =>
  new CarnetError('invalid_request', 'The request ended before its body did.', { cause });

/** A body parser of the host application may have left what it has parsed in `body`. */
type Message = IncomingMessage & { body?: unknown };

/** Whether a body parser for another type has left an empty object, as those of Express 4 and Koa do, and read no byte. */
const isUnread = ({ body, readableDidRead }: Message): boolean =>
  !readableDidRead && typeof body === 'object' && body !== null && Object.keys(body).length === 0;

/** The bytes of a body that a body parser of the host application has already parsed. */
const rebuild = (parsed: unknown): Buffer => {
  if (Buffer.isBuffer(parsed)) return parsed;
  if (typeof parsed === 'string') return Buffer.from(parsed);
  if (typeof parsed === 'object' && parsed !== null) return Buffer.from(JSON.stringify(parsed));
  throw new Error('The request body was read by another middleware, which left nothing in request.body');
};

/** Bodies are read as UTF-8, of which US-ASCII is a subset. A body in another charset would be misread. */
const readable: ReadonlySet<string> = new Set(['utf-8', 'utf8', 'us-ascii', 'ascii']);

const isReadable = (contentType: string): boolean =>
  [...contentType.matchAll(/;\s*charset\s*=\s*"?([^\s;"]*)/gi)].every(([, charset = '']) =>
    readable.has(charset.toLowerCase()),
  );

const assertReadable = (request: IncomingMessage, maxBytes: number): void => {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity')
    throw new CarnetError('invalid_request', 'The request body must not have a Content-Encoding.');
  const type = request.headers['content-type'];
  if (type?.includes(';') && !isReadable(type))
    throw new CarnetError('invalid_request', 'The request body must be in the charset UTF-8.');
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
};

/**
 * Reads the body of a request, up to `maxBytes`. Also works if a body parser of Express or Koa has read it.
 * @throws CarnetError `payload_too_large`; `invalid_request` if it is compressed, not in UTF-8, or aborted
 */
export const readBody = (request: Message, maxBytes: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const { body, readableEnded, readableDidRead } = request;
    // An empty body that the server or another middleware has ended.
    if (readableEnded && !readableDidRead && body === undefined) return resolve(Buffer.alloc(0));
    if (readableEnded || (body !== undefined && !isUnread(request))) return resolve(rebuild(body));
    if (request.destroyed) throw brokenOff();
    assertReadable(request, maxBytes);
    let chunks: Buffer[] = [];
    let sizeBytes = 0;
    request.on('data', (chunk: Buffer) => {
      sizeBytes += chunk.length;
      if (sizeBytes <= maxBytes) return void chunks.push(chunk);
      // The rest is read and dropped (until requestTimeout), so that the client receives the response.
      chunks = [];
      reject(tooLarge(maxBytes));
    });
    // The listeners are not removed: calling them a second time has no effect.
    request.on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    // Node reports every aborted request as an error.
    request.on('error', (cause) => reject(brokenOff(cause)));
  });

/** The parameters of a form that a body parser of the host application has already parsed. */
export const parsedForm = (request: Message): URLSearchParams | undefined => {
  const { body } = request;
  if (typeof body !== 'object' || body === null || Buffer.isBuffer(body) || isUnread(request)) return undefined;
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(body)) {
    // An object has no meaning in a form, and may have a member `toString`: it is an empty parameter.
    for (const one of [value].flat()) params.append(name, typeof one === 'object' ? '' : String(one));
  }
  return params;
};
