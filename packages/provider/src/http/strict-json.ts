import { CarnetError } from '../errors.ts';

/** The maximum nesting of objects and arrays. */
const maxDepth = 32;
/** Members of all objects and elements of all arrays together. */
const maxItems = 10_000;

type Refuse = (problem: string) => CarnetError;

const stringPattern = /"(?:[^"\\]|\\.)*"?/sy;
/** Strings, also one that does not end, and the signs of structure, whatever stands between them. */
const tokens = /"(?:[^"\\]|\\.)*"?|[[\]{},]/gs;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const decode = (input: string | Uint8Array, refuse: Refuse): string => {
  if (typeof input === 'string') {
    if (!input.isWellFormed()) throw refuse('contains a lone surrogate');
    return input;
  }
  try {
    return utf8.decode(input);
  } catch {
    throw refuse('is not UTF-8');
  }
};

/** The value of a string. The text is well-formed, so only an escape can make it anything else than its characters. */
const stringIn = (token: string, at: number, refuse: Refuse): string => {
  if (!token.includes('\\')) return token.slice(1, -1);
  const value = JSON.parse(token) as string;
  if (value.includes('\0')) throw refuse(`contains \\u0000 in the string at position ${at}`);
  if (!value.isWellFormed()) throw refuse(`contains a lone surrogate in the string at position ${at}`);
  return value;
};

const assertKey = (key: string, seen: Set<string>, at: number, refuse: Refuse): void => {
  if (key === '__proto__') throw refuse(`has a member named "__proto__" at position ${at}`);
  if (seen.has(key)) throw refuse(`names a member twice at position ${at}`);
  seen.add(key);
};

/**
 * Finds what `JSON.parse` has accepted and Carnet does not: one pass, no recursion, at most `maxDepth` frames. The text is
 * JSON, so a key is simply a string after `{`, or after a comma in an object.
 */
const scan = (text: string, refuse: Refuse): void => {
  const frames: (Set<string> | undefined)[] = [];
  let keyMayFollow = false;
  let items = 0;
  // No regular expression matches each token: the object and the iterator of a match take most of the time.
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === '"') {
      stringPattern.lastIndex = at;
      stringPattern.test(text);
      const value = stringIn(text.slice(at, stringPattern.lastIndex), at, refuse);
      const seen = frames.at(-1);
      if (keyMayFollow && seen !== undefined) assertKey(value, seen, at, refuse);
      keyMayFollow = false;
      at = stringPattern.lastIndex - 1;
    } else if (sign === '}' || sign === ']') {
      frames.pop();
    } else if (sign === ',' || sign === '{' || sign === '[') {
      if (sign !== ',' && frames.push(sign === '{' ? new Set() : undefined) > maxDepth)
        throw refuse(`is nested deeper than ${maxDepth} levels`);
      keyMayFollow = true;
      items++;
    }
    if (items > maxItems) throw refuse(`has more than ${maxItems} items`);
  }
};

/**
 * Parses untrusted JSON in linear time. Besides invalid JSON it refuses invalid UTF-8, `__proto__`, duplicate members,
 * lone surrogates, `\u0000`, and text that is too large, nested too deeply or has too many items.
 *
 * @param options `what`: a name for the text, for the description of errors; `maxBytes`: default 1 MiB
 * @throws CarnetError `invalid_request`; its description never quotes the text.
 */
export const parseJson = (
  input: string | Uint8Array,
  { what = 'The request body', maxBytes = 1_048_576 }: { readonly what?: string; readonly maxBytes?: number } = {},
): unknown => {
  const refuse: Refuse = (problem) => new CarnetError('invalid_request', `${what} ${problem}.`);
  if (input.length === 0) throw refuse('is empty; it must be JSON');
  if (input.length > maxBytes) throw refuse(`is larger than ${maxBytes} bytes`);
  const text = decode(input, refuse);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refuse('is not well-formed JSON');
  }
  scan(text, refuse);
  return value;
};

/** Whether JSON is nested so deeply that copying it recursively could overflow the stack. Linear time. */
export const isDeepJson = (text: string): boolean => {
  let depth = 0;
  for (const [token] of text.matchAll(tokens)) {
    if (token === '[' || token === '{') depth += 1;
    else if (token === ']' || token === '}') depth -= 1;
    if (depth > maxDepth) return true;
  }
  return false;
};
