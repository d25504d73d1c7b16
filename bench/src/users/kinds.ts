import type { DpopKey } from './dpop-key.ts';

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly id_token: string;
  readonly token_type: string;
}

/** In which a login differs from the simplest one. Default of each: as the simplest. */
export interface LoginKind {
  /** More parameters of the authorization request. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** More members of the accepted login request. */
  readonly login?: object;
  /** More members of the accepted consent request. */
  readonly consent?: object;
  /** More parameters of each token request. */
  readonly tokenParameters?: Readonly<Record<string, string>>;
  /** Whether the login app asks to remember login and consent. */
  readonly isRemembered?: boolean;
  /** Whether the pages are part of the server: each is visited, and decides in process. */
  readonly isMounted?: boolean;
  /** Keys to which tokens are bound, one per login, in turn (DPoP, RFC 9449). */
  readonly keys?: readonly DpopKey[];
  /** Members that the ID token must have. `true`: any value. */
  readonly idToken?: Readonly<Record<string, string | true>>;
  /** Members that introspection of the access token must answer, checked once per scenario. */
  readonly accessToken?: Readonly<Record<string, unknown>>;
}

const claimsOf = (idToken: string): Readonly<Record<string, unknown>> =>
  JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString());

/** @throws Error unless the token response is the one that the kind asks for */
export const assertTokens = (tokens: Tokens, kind: LoginKind): Tokens => {
  if (!tokens.access_token || !tokens.refresh_token || !tokens.id_token) throw new Error('a token is missing');
  const type = kind.keys ? 'DPoP' : 'Bearer';
  if (tokens.token_type.toLowerCase() !== type.toLowerCase()) {
    throw new Error(`the token type is ${tokens.token_type}, not ${type}`);
  }
  const expected = Object.entries(kind.idToken ?? {});
  if (expected.length === 0) return tokens;
  const claims = claimsOf(tokens.id_token);
  for (const [name, value] of expected) {
    if (value === true ? claims[name] === undefined : claims[name] !== value) {
      throw new Error(`the ID token has ${name}: ${JSON.stringify(claims[name])}, not ${value}`);
    }
  }
  return tokens;
};
