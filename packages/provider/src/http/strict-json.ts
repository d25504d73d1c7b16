import { CarnetError } from '../errors.ts';

export interface ParseJsonOptions {
  /** A name for the text, for the description of errors. */
  readonly what?: string;
  /** Default 1 MiB. */
  readonly maxBytes?: number;
  /** The maximum nesting of objects and arrays. Default 32. */
  readonly maxDepth?: number;
  /** Members of all objects and elements of all arrays together. Default 10,000. */
  readonly maxItems?: number;
}

type Refuse = (problem: string) => CarnetError;
type Limits = Required<Pick<ParseJsonOptions, 'maxDepth' | 'maxItems'>>;

const quote = 0x22;
const backslash = 0x5c;
const letterU = 0x75;
const objectOpen = 0x7b;
const objectClose = 0x7d;
const arrayOpen = 0x5b;
const arrayClose = 0x5d;
const comma = 0x2c;

const unescaped = /[^"\\]*/y;
const fourHexDigits = /^[0-9a-fA-F]{4}$/;

const decode = (input: string | Uint8Array, refuse: Refuse): string => {
  if (typeof input === 'string') {
    if (!input.isWellFormed()) throw refuse('contains a lone surrogate');
    return input;
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(input);
  } catch {
    throw refuse('is not UTF-8');
  }
};

const escapedCodeUnit = (text: string, at: number): number => {
  const digits = text.slice(at + 2, at + 6);
  return text.charCodeAt(at + 1) === letterU && fourHexDigits.test(digits) ? Number.parseInt(digits, 16) : Number.NaN;
};

/** The end of the escape that starts at `at`. A surrogate must be half of a pair that is written as two escapes. */
const skipEscape = (text: string, at: number, refuse: Refuse): number => {
  if (text.charCodeAt(at + 1) !== letterU) return at + 2;
  const unit = escapedCodeUnit(text, at);
  if (unit === 0) throw refuse(`contains \\u0000 at position ${at}`);
  if (!(unit >= 0xd800 && unit <= 0xdfff)) return at + 6;
  const low = text.charCodeAt(at + 6) === backslash ? escapedCodeUnit(text, at + 6) : Number.NaN;
  if (unit > 0xdbff || !(low >= 0xdc00 && low <= 0xdfff)) throw refuse(`contains a lone surrogate at position ${at}`);
  return at + 12;
};

/** The end of the string whose opening quote is at `start`: the index after its closing quote. */
const skipString = (text: string, start: number, refuse: Refuse): number => {
  let at = start + 1;
  for (;;) {
    unescaped.lastIndex = at;
    unescaped.test(text);
    at = unescaped.lastIndex;
    if (at >= text.length) throw refuse('is not well-formed JSON');
    if (text.charCodeAt(at) === quote) return at + 1;
    at = skipEscape(text, at, refuse);
  }
};

const readKey = (text: string, start: number, end: number, refuse: Refuse): string => {
  const raw = text.slice(start + 1, end - 1);
  if (!raw.includes('\\')) return raw;
  try {
    return JSON.parse(text.slice(start, end)) as string;
  } catch {
    throw refuse('is not well-formed JSON');
  }
};

const assertKey = (key: string, seen: Set<string>, at: number, refuse: Refuse): void => {
  if (key === '__proto__') throw refuse(`has a member named "__proto__" at position ${at}`);
  if (seen.has(key)) throw refuse(`names a member twice at position ${at}`);
  seen.add(key);
};

/**
 * Finds input that `JSON.parse` would accept: one pass, no recursion, at most `maxDepth` frames. `JSON.parse` checks
 * whether the text is JSON, so that a key is simply a string after `{`, or after a comma in an object.
 */
const scan = (text: string, limits: Limits, refuse: Refuse): void => {
  const frames: (Set<string> | undefined)[] = [];
  let keyMayFollow = false;
  let items = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === quote) {
      const end = skipString(text, at, refuse);
      const seen = frames.at(-1);
      if (keyMayFollow && seen !== undefined) assertKey(readKey(text, at, end, refuse), seen, at, refuse);
      keyMayFollow = false;
      at = end - 1;
    } else if (unit === objectOpen || unit === arrayOpen) {
      if (frames.length >= limits.maxDepth) throw refuse(`is nested deeper than ${limits.maxDepth} levels`);
      frames.push(unit === objectOpen ? new Set() : undefined);
      keyMayFollow = true;
      items++;
    } else if (unit === objectClose || unit === arrayClose) {
      frames.pop();
    } else if (unit === comma) {
      keyMayFollow = true;
      items++;
    }
    if (items > limits.maxItems) throw refuse(`has more than ${limits.maxItems} items`);
  }
};

/**
 * Parses untrusted JSON in linear time. Besides invalid JSON it refuses invalid UTF-8, `__proto__`, duplicate members,
 * lone surrogates, `\u0000`, and text that is too large, nested too deeply or has too many items.
 * @throws CarnetError `invalid_request`; its description never quotes the text.
 */
export const parseJson = (input: string | Uint8Array, options: ParseJsonOptions = {}): unknown => {
  const { what = 'The request body', maxBytes = 1_048_576, maxDepth = 32, maxItems = 10_000 } = options;
  const refuse: Refuse = (problem) => new CarnetError('invalid_request', `${what} ${problem}.`);
  if (input.length === 0) throw refuse('is empty; it must be JSON');
  if (input.length > maxBytes) throw refuse(`is larger than ${maxBytes} bytes`);
  const text = decode(input, refuse);
  scan(text, { maxDepth, maxItems }, refuse);
  try {
    return JSON.parse(text);
  } catch {
    throw refuse('is not well-formed JSON');
  }
};

const stringOrBracket = /"(?:[^"\\]|\\.)*"?|[[\]{}]/gs;
const maxDepthOfOthers = 32;

/** Whether JSON is nested so deeply that copying it recursively could overflow the stack. Linear time. */
export const isDeepJson = (text: string): boolean => {
  let depth = 0;
  for (const [token] of text.matchAll(stringOrBracket)) {
    if (token === '[' || token === '{') depth += 1;
    else if (token === ']' || token === '}') depth -= 1;
    if (depth > maxDepthOfOthers) return true;
  }
  return false;
};
