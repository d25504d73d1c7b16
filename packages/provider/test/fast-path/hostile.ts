import type { Random } from './random.ts';

/** Requests that are odd in one place or another, as often as `Random` says. */

type Pair = readonly [string, string];

const spoilers = ['', ' ', 'x', '%', '\0', 'ä', '&', '=', '+', '%00', '%ff', ';', '#', '\t', '"', '\\'];

/** The same text with something that does not belong there. */
export const spoilt = (random: Random, text: string): string => {
  const at = random.whole(text.length + 1);
  return text.slice(0, at) + random.pick(spoilers) + text.slice(at + random.whole(3));
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
