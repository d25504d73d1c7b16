import { randomBytes } from 'node:crypto';
import { openJwt } from '../keys/open-jwt.ts';
import type { SigningAlgorithm } from '../keys/signer.ts';
import type { SigningKeys } from '../keys/signing-keys.ts';

/** The claims of a JWT access token: RFC 9068, section 2.2, and the names Hydra's users read (`scp`, `ext`, `nbf`). */
export interface AccessTokenClaims {
  readonly iss: string;
  readonly sub: string;
  readonly aud: readonly string[];
  readonly client_id: string;
  readonly exp: number;
  readonly iat: number;
  readonly nbf: number;
  /** `<grant id>.<random>.<generation>`: what tells that a token is dead whose grant, or client's tokens, were revoked. */
  readonly jti: string;
  readonly scope: string;
  readonly scp: readonly string[];
  readonly ext: Readonly<Record<string, unknown>>;
  readonly cnf?: Confirmation;
  /** RFC 9396, section 9.1. */
  readonly authorization_details?: readonly object[];
}

/** What a token is bound to: a key (RFC 9449, section 6.1), or a certificate (RFC 8705, section 3.1). */
export type Confirmation = { readonly jkt: string } | { readonly 'x5t#S256': string };

/** A token as oidc-provider has it, by what it is bound to. */
export interface Bound {
  readonly jkt?: string;
  readonly 'x5t#S256'?: string;
}

export const confirmationOf = ({ jkt, 'x5t#S256': thumbprint }: Bound): Confirmation | undefined => {
  if (jkt !== undefined) return { jkt };
  return thumbprint === undefined ? undefined : { 'x5t#S256': thumbprint };
};

const typ = 'at+jwt';
const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

export interface AccessTokenJwts {
  sign(claims: AccessTokenClaims): Promise<string>;
  /** The claims of a token that we signed for ourselves and that has not expired, or nothing. */
  open(jwt: string): AccessTokenClaims | undefined;
}

/** The id of a JWT access token. Its parts may be empty: a grant there is none of, and the generation zero. */
export const jwtId = (grantId: string | undefined, generation: number): string =>
  `${grantId ?? ''}.${randomBytes(16).toString('base64url')}${generation === 0 ? '' : `.${generation}`}`;

export const grantOfJwt = (jti: string): string | undefined => {
  const [grantId, random] = jti.split('.');
  return random === undefined || grantId === '' ? undefined : grantId;
};

export const generationOfJwt = (jti: string): number => Number(jti.split('.')[2] ?? 0);

export const createAccessTokenJwts = (options: {
  readonly issuer: string;
  readonly alg: SigningAlgorithm;
  readonly keys: SigningKeys;
  readonly now: () => number;
}): AccessTokenJwts => {
  const { issuer, alg, keys, now } = options;
  const signer = keys.signerFor(alg);
  if (signer === undefined) throw new TypeError(`no signing key for ${alg}`);
  const header = encode({ alg, typ, kid: signer.kid });

  return {
    async sign(claims) {
      const input = `${header}.${encode(claims)}`;
      return `${input}.${Buffer.from(await signer.sign(Buffer.from(input))).toString('base64url')}`;
    },
    open(jwt) {
      const opened = openJwt(keys, jwt);
      // The type is what keeps an ID token from passing as an access token.
      if (opened?.typ !== typ) return undefined;
      const claims = opened.claims as unknown as AccessTokenClaims;
      return claims.iss === issuer && claims.exp > now() / 1000 ? claims : undefined;
    },
  };
};
