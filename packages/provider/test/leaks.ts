import { codeVerifier } from './login.ts';

/** What must never be in a log, a page or a Referer, by its form. */
const forms: Readonly<Record<string, RegExp>> = {
  'sealed token or JWT': /eyJ[\w-]{8,}/g,
  'code or token': /carnet_(?:at|rt|ac)_[\w.-]+/g,
  'client secret': /secret of [\w-]+, long/g,
  'URL-encoded client secret': /secret(?:%20|\+)of(?:%20|\+)[\w-]+/g,
  'session cookie': /[0-9a-f]{8}-[0-9a-f-]{27}\.[\w-]{43}/g,
  'flow cookie': /carnet_flow_[\w-]+=[\w-]{43}/g,
  'query of a request': /\?[\w-]+=/g,
  'code verifier': new RegExp(codeVerifier, 'g'),
};

/** The kinds of secrets that a text holds. */
export const secretsIn = (text: string): string[] =>
  Object.entries(forms)
    .filter(([, form]) => text.search(form) >= 0)
    .map(([name]) => name);

/** Whether a text holds 20 characters of a value, or all of a shorter one. */
export const hasPieceOf = (text: string, value: string): boolean =>
  Array.from({ length: Math.max(1, value.length - 19) }, (_, at) => value.slice(at, at + 20)).some((piece) =>
    text.includes(piece),
  );
