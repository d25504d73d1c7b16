import { Problem } from '../problem.ts';

const maximumBytes = 64 * 1024;

/** The fields of a form post; an `invalid_form` problem if it is something else, or larger than 64 KiB. */
export const formBody = async (request: Request): Promise<URLSearchParams> => {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded') throw new Problem('invalid_form', { cause: 'content-type' });
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of request.body ?? []) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > maximumBytes) throw new Problem('invalid_form', { cause: 'more than 64 KiB' });
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
};
