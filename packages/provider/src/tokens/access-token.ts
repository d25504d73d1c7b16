import { z } from 'zod';
import type { Actor } from '../hooks/hook.ts';
import { openJwt } from '../keys/signing/open-jwt.ts';
import { createSignJwt } from '../keys/signing/sign-jwt.ts';
import type { SigningAlgorithm } from '../keys/signing/signer.ts';
import type { SigningKeys } from '../keys/signing/signing-keys.ts';
import { randomText } from '../random.ts';

/** The claims of a JWT access token: RFC 9068, section 2.2, and the names Hydra's users read (`scp`, `ext`, `nbf`). */
export interface AccessTokenClaims {
  readonly iss: string;
  readonly sub: string;
  readonly aud: readonly string[];
  readonly client_id: string;
  readonly exp: number;
  readonly iat: number;
  readonly nbf?: number;
  /** `<grant id>.<random>.<epoch>`: a token is invalid once its grant is revoked or its client has another epoch. */
  readonly jti: string;
  readonly scope?: string;
  readonly scp?: readonly string[];
  readonly ext?: Readonly<Record<string, unknown>>;
  readonly cnf?: Confirmation;
  /** RFC 9396, section 9.1. */
  readonly authorization_details?: readonly object[];
  /** The actor that uses the token for the subject (RFC 8693, section 4.1). */
  readonly act?: Actor;
  /** Seconds since 1970: when the user authenticated (RFC 9068, section 2.2.1). */
  readonly auth_time?: number;
  readonly acr?: string;
  readonly amr?: readonly string[];
}

/** The claims of an opened token. Those that its options left out are derived from the others. */
export type OpenedAccessToken = AccessTokenClaims & Required<Pick<AccessTokenClaims, 'scope' | 'nbf' | 'ext'>>;

/** The claims that the consent app and hooks cannot set. */
const reserved: ReadonlySet<string> = new Set(
  'iss sub aud client_id exp iat nbf jti scope scp ext cnf act authorization_details auth_time acr amr'.split(' '),
);

/** Those of the named members that may be claims at the top level. */
export const topLevelClaims = (ext: Readonly<Record<string, unknown>>, names: readonly string[]) =>
  Object.fromEntries(
    names.filter((name) => !reserved.has(name) && Object.hasOwn(ext, name)).map((name) => [name, ext[name]]),
  );

/** The `cnf` claim: the key (RFC 9449, section 6.1) or certificate (RFC 8705, section 3.1) that a token is bound to. */
export type Confirmation = { readonly jkt: string } | { readonly 'x5t#S256': string };

/** The binding of a token, by the member names that are stored. A token without any is a bearer token. */
export const boundShape = { jkt: z.string().optional(), 'x5t#S256': z.string().optional() };

export type Bound = Readonly<z.output<z.ZodObject<typeof boundShape>>>;

export const confirmationOf = ({ jkt, 'x5t#S256': thumbprint }: Bound): Confirmation | undefined => {
  if (jkt !== undefined) return { jkt };
  return thumbprint === undefined ? undefined : { 'x5t#S256': thumbprint };
};

/** RFC 6749, section 7.1; RFC 9449, section 5. */
export const tokenTypeOf = (bound: Bound | undefined): 'Bearer' | 'DPoP' =>
  bound?.jkt === undefined ? 'Bearer' : 'DPoP';

/** The header `typ` of access tokens: `at+jwt` (RFC 9068), or `JWT` for resource servers that accept no other. */
export const accessTokenTypes = ['at+jwt', 'JWT'] as const;
export type AccessTokenType = (typeof accessTokenTypes)[number];

/**
 * Whether a JWT of this issuer is an access token (RFC 9068, section 4). The type `JWT` is also that of other tokens:
 * only the `jti` of an access token contains a dot.
 */
export const isAccessToken = (typ: unknown, { jti }: { readonly jti?: unknown }): boolean =>
  typ === 'at+jwt' || (typ === 'JWT' && typeof jti === 'string' && jti.includes('.'));

export interface AccessTokenJwts {
  sign(claims: AccessTokenClaims, typ: AccessTokenType): Promise<string>;
  /**
   * Verifies a JWT access token of this issuer.
   *
   * @returns undefined for any other JWT, and for one that has expired
   */
  open(jwt: string): OpenedAccessToken | undefined;
}

/** A new `jti` for a JWT access token: `<grant id>.<random>.<epoch>`. The grant id and the epoch may be empty. */
export const jwtId = (grantId: string | undefined, epoch: string): string =>
  `${grantId ?? ''}.${randomText(16)}${epoch === '' ? '' : `.${epoch}`}`;

/** The grant id in a `jti`; undefined for a token without a grant. */
export const grantOfJwt = (jti: string): string | undefined => {
  const [grantId, random] = jti.split('.');
  return random === undefined || grantId === '' ? undefined : grantId;
};

/** The token epoch in a `jti`; empty if the client had none. */
export const epochOfJwt = (jti: string): string => jti.split('.').slice(2).join('.');

export const createAccessTokenJwts = (options: {
  readonly issuer: string;
  readonly alg: SigningAlgorithm;
  readonly keys: SigningKeys;
  readonly allowedTopLevel: readonly string[];
  readonly now: () => number;
}): AccessTokenJwts => {
  const { issuer, alg, keys, allowedTopLevel, now } = options;
  const signer = keys.signerFor(alg);
  if (signer === undefined) throw new TypeError(`no signing key for ${alg}`);

  const sign = { 'at+jwt': createSignJwt(signer, { typ: 'at+jwt' }), JWT: createSignJwt(signer, { typ: 'JWT' }) };

  return {
    sign: (claims, typ) => sign[typ](claims),
    open(jwt) {
      const opened = openJwt(keys, jwt);
      if (opened === undefined || !isAccessToken(opened.typ, opened.claims)) return undefined;
      const claims = opened.claims as unknown as AccessTokenClaims;
      if (claims.iss !== issuer || claims.exp <= now() / 1000) return undefined;
      const {
        scope = (claims.scp ?? []).join(' '),
        nbf = claims.iat,
        ext = topLevelClaims(opened.claims, allowedTopLevel),
      } = claims;
      return { ...claims, scope, nbf, ext };
    },
  };
};
