import { CarnetError } from '@carnet/provider';
import type { PageRoute } from './route.ts';

/** Longer forms are refused. The longest one is pasted: an authorization URL with a request object, or a token. */
const maxFormBytes = 100_000;

/** The rest of a file that is too large is read and discarded, so that the browser shows the answer and no broken connection. */
const maxDiscardedBytes = 100_000_000;

/**
 * The body of a request, read piece by piece, because anyone may send one: the form of the language needs no session.
 *
 * @throws CarnetError `payload_too_large`
 */
const readAtMost = async (
  body: ReadableStream<Uint8Array>,
  maxBytes: number,
  discardedBytes: number,
): Promise<Buffer<ArrayBuffer>> => {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body) {
    length += piece.byteLength;
    if (length <= maxBytes) pieces.push(piece);
    else pieces.length = 0;
    if (length > maxBytes + discardedBytes) break;
  }
  if (length > maxBytes) throw new CarnetError('payload_too_large', 'The form is too long.');
  return Buffer.concat(pieces);
};

/** The fields of a form with files, each file as its text. @throws CarnetError `invalid_request` */
const readParts = async (body: Buffer<ArrayBuffer>, contentType: string): Promise<URLSearchParams> => {
  const parts = await new Response(body, { headers: { 'content-type': contentType } }).formData().catch(() => {
    throw new CarnetError('invalid_request', 'The form is not valid.');
  });
  const textOf = async ([name, part]: readonly [string, string | Blob]): Promise<[string, string]> => [
    name,
    typeof part === 'string' ? part : await part.text(),
  ];
  return new URLSearchParams(await Promise.all([...parts].map(textOf)));
};

/**
 * The fields of a form; none for GET. Only a route with a limit of its own accepts files.
 *
 * @throws CarnetError `payload_too_large`, `invalid_request`
 */
export const readForm = async (
  { method, body, headers }: Request,
  { maxUploadBytes }: Pick<PageRoute, 'maxUploadBytes'> = {},
): Promise<URLSearchParams> => {
  if (method === 'GET' || body === null) return new URLSearchParams();
  if (maxUploadBytes === undefined) return new URLSearchParams((await readAtMost(body, maxFormBytes, 0)).toString());
  const content = await readAtMost(body, maxUploadBytes, maxDiscardedBytes);
  const contentType = headers.get('content-type') ?? '';
  const hasFiles = contentType.startsWith('multipart/form-data');
  return hasFiles ? readParts(content, contentType) : new URLSearchParams(content.toString());
};
