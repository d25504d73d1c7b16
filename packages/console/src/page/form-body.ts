import { CarnetError } from '@carnet/provider';

/** Longer forms are refused. The longest one is pasted: an authorization URL with a request object, or a token. */
const maxFormBytes = 100_000;

/**
 * The fields of a form; none for GET. The body is read piece by piece, because anyone may send one: the form of the language needs
 * no session.
 *
 * @throws CarnetError `payload_too_large`
 */
export const readForm = async ({ method, body }: Request): Promise<URLSearchParams> => {
  if (method === 'GET' || body === null) return new URLSearchParams();
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body) {
    length += piece.byteLength;
    if (length > maxFormBytes) throw new CarnetError('payload_too_large', 'The form is too long.');
    pieces.push(piece);
  }
  return new URLSearchParams(Buffer.concat(pieces).toString());
};
