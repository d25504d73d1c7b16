import { Problem } from '../problem.ts';

const maximumBytes = 64 * 1024;
/** The fields that a form may repeat. */
const repeatable = new Set(['grant_scope']);

/**
 * The fields of a form post. Throws an `invalid_form` problem if the body is something else, is larger than 64 KiB, contains
 * NUL, or repeats a field: with two decisions, the user's is unknown.
 */
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
  const form = new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
  const repeated = [...new Set(form.keys())].find((name) => !repeatable.has(name) && form.getAll(name).length > 1);
  // No browser sends NUL, and no database of accounts has text with it.
  if ([...form.values()].some((value) => value.includes('\0'))) throw new Problem('invalid_form', { cause: 'NUL' });
  if (repeated !== undefined) throw new Problem('invalid_form', { cause: 'a field is repeated' });
  return form;
};
