import type { Counts } from './counted-exchange.ts';

/** What is not named is none. */
type Figures = Pick<Counts, 'headBytes' | 'bodyBytes' | 'promises'> & Partial<Counts>;

/**
 * What each kind of request takes at most. Whoever makes one of them smaller lowers it here, so that it stays. Round
 * trips are reads and commits; `counts.test.ts` says what the requests are.
 */
export const countFigures = {
  'authorization request': { headBytes: 921, bodyBytes: 416, seals: 1, promises: 22 },
  'login request': { headBytes: 386, bodyBytes: 2216, opens: 1, promises: 20 },
  'accept login': { headBytes: 349, bodyBytes: 514, seals: 1, promises: 23 },
  'login verifier': { headBytes: 1011, bodyBytes: 506, seals: 1, opens: 1, promises: 29 },
  'consent request': { headBytes: 386, bodyBytes: 2453, opens: 1, promises: 20 },
  'accept consent': { headBytes: 349, bodyBytes: 772, seals: 1, promises: 27 },
  'consent verifier': { headBytes: 1332, bodyBytes: 881, seals: 1, opens: 1, promises: 36 },
  code: { trips: 1, headBytes: 470, bodyBytes: 852, opens: 1, signatures: 1, promises: 47 },
  refresh: { trips: 2, headBytes: 470, bodyBytes: 852, signatures: 1, promises: 53 },
  userinfo: { trips: 1, headBytes: 469, bodyBytes: 15, promises: 23 },
  introspection: { trips: 1, headBytes: 349, bodyBytes: 236, promises: 31 },
  'introspection, JWT': { headBytes: 349, bodyBytes: 241, verifications: 1, promises: 25 },
  'introspection, inactive': { headBytes: 348, bodyBytes: 16, promises: 17 },
  client_credentials: { trips: 1, headBytes: 470, bodyBytes: 130, promises: 37 },
  'client_credentials, JWT': { headBytes: 470, bodyBytes: 603, signatures: 1, promises: 32 },
  discovery: { headBytes: 422, bodyBytes: 2154, promises: 10 },
  JWKS: { headBytes: 421, bodyBytes: 825, promises: 10 },
  client: { trips: 1, headBytes: 386, bodyBytes: 1301, promises: 21 },
  'list of clients': { headBytes: 638, bodyBytes: 2633, promises: 23 },
} as const satisfies Readonly<Record<string, Figures>>;

export type CountedKind = keyof typeof countFigures;

/** The figure of a kind for one count. */
export const figureOf = (kind: CountedKind, name: keyof Counts): number =>
  (countFigures[kind] as Partial<Counts>)[name] ?? 0;
