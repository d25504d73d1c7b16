import type { Random } from './random.ts';
import { formPost, type RawHttp } from './raw-http.ts';

/** Requests that are odd in one place or another, as often as `Random` says. */

type Pair = readonly [string, string];

export const oddValues = [
  '',
  ' ',
  'x',
  '%',
  '\0',
  'ä',
  '\ud800',
  'a'.repeat(5_000),
  '__proto__',
  'null',
  '[]',
  '{"a":1}',
];

const escapeAll = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

/** A lone surrogate can't be sent. */
export const escaped = (text: string): string => encodeURIComponent(text.toWellFormed());

const encodings = [
  escaped,
  (text: string) => escaped(text).replaceAll('%20', '+'),
  (text: string) => text.toWellFormed(),
  escapeAll,
];

/** Mostly as everybody encodes it. */
const encodingOf = (random: Random, oddOnceIn: number) => (random.oneIn(oddOnceIn) ? random.pick(encodings) : escaped);

const spoilers = ['', ' ', 'x', '%', '\0', 'ä', '&', '=', '+', '%00', '%ff', ';', '#', '\t', '"', '\\'];

/** The same text with something that does not belong there. */
export const spoilt = (random: Random, text: string): string => {
  const at = random.whole(text.length + 1);
  return text.slice(0, at) + random.pick(spoilers) + text.slice(at + random.whole(3));
};

export const basicHeader = (random: Random, id: string, secret: string): Pair => {
  const encode = encodingOf(random, 3);
  const whole = `${encode(id)}:${encode(secret)}`;
  const text = random.oneIn(12) ? random.pick([encode(id), `${encode(id)}:`, `:${secret}`, '', ':']) : whole;
  const base64 = Buffer.from(text).toString('base64');
  const odd = [base64.replaceAll('=', ''), `${base64}=`, base64.replaceAll('+', '-'), `${base64} x`, ''];
  const scheme = random.oneIn(8) ? random.pick(['basic', 'BASIC', 'Bearer', 'Basic ']) : 'Basic';
  return ['Authorization', `${scheme} ${random.oneIn(10) ? random.pick(odd) : base64}`];
};

/** What a request may say besides, some of which changes how it is answered. */
export const oddHeaders: readonly Pair[] = [
  ['DPoP', 'a.b.c'],
  ['DPoP', ''],
  ['OAuth-Client-Attestation', 'a.b.c'],
  ['OAuth-Client-Attestation-PoP', 'a.b.c'],
  ['Origin', 'https://app.test'],
  ['Origin', 'null'],
  ['Accept', 'text/html'],
  ['Accept', 'application/json'],
  ['Content-Encoding', 'identity'],
  ['Content-Encoding', 'gzip'],
  ['Cookie', 'a=b; a=c'],
  ['Authorization', 'Basic Zm9vOmJhcg=='],
  ['Expect', '100-continue'],
  ['X-Forwarded-Host', 'evil.test'],
  ['X-Request-Id', 'of the client'],
];

const oddTypes = [
  'application/x-www-form-urlencoded;charset=UTF-8',
  'application/x-www-form-urlencoded; charset=iso-8859-1',
  'APPLICATION/X-WWW-FORM-URLENCODED',
  'application/json',
  'text/plain',
  '',
];

const oddQueries = ['?', '?a=b', '?grant_type=client_credentials', '/', '?%00', '#a'];

/** A form as it is sent: in another order, otherwise encoded, with something in it that does not belong there, cut off. */
export const sendForm = (
  random: Random,
  target: string,
  { params, headers }: { readonly params: readonly Pair[]; readonly headers: readonly Pair[] },
): RawHttp => {
  const encode = encodingOf(random, 10);
  const text = (random.oneIn(6) ? random.shuffled(params) : params)
    .map(([name, value]) => `${name}=${encode(value)}`)
    .join('&');
  const body = random.oneIn(25) ? spoilt(random, text) : text;
  const request = formPost(random.oneIn(25) ? target + random.pick(oddQueries) : target, body, headers);
  if (random.oneIn(25)) return { ...request, headers: [['Content-Type', random.pick(oddTypes)], ...headers] };
  return random.oneIn(60) ? { ...request, contentLength: body.length + random.pick([1, -1, 10_000]) } : request;
};
