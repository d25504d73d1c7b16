import { decodeJwt, decodeProtectedHeader, errors, jwtVerify } from 'jose';
import { clockSkewSeconds } from '../clock.ts';
import { asymmetricAlgorithms } from '../jwk.ts';
import { hasOuterSpace } from '../subject.ts';
import { importPublicKey, type TrustedIssuer } from './trusted-issuers.ts';

/** The reason for refusing an assertion. The message is sent to the client and does not quote the assertion. */
export class AssertionError extends Error {
  override readonly name = 'AssertionError';
}

/** The unverified members of an assertion that name its keys. */
export interface AssertionName {
  readonly issuer: string;
  readonly subject: string;
  readonly alg: string;
  /** Undefined: the assertion does not name its key. */
  readonly kid: string | undefined;
}

export interface VerifiedAssertion {
  readonly issuer: string;
  readonly subject: string;
  /** Seconds since 1970. */
  readonly exp: number;
  readonly jti: string | undefined;
  readonly audience: readonly string[];
  readonly claims: Readonly<Record<string, unknown>>;
}

export interface AssertionRules {
  /** The accepted audiences. */
  readonly audience: readonly string[];
  /** The maximum time from `iat`, or from now, to `exp`. */
  readonly maxSeconds: number;
  readonly iatOptional: boolean;
  readonly jtiOptional: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

const maxBytes = 1_024;

const isName = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && Buffer.byteLength(value) <= maxBytes && !/[\p{Cc}\p{Cs}]/u.test(value);

/** Reads the issuer and the key id of an assertion without verifying it. @throws AssertionError */
export const nameAssertion = (jwt: string): AssertionName => {
  try {
    const { kid, alg } = decodeProtectedHeader(jwt);
    const { iss, sub } = decodeJwt(jwt);
    const isNamed = isName(alg) && isName(iss) && isName(sub) && (kid === undefined || isName(kid));
    if (isNamed) return { issuer: iss, subject: sub, alg, kid };
  } catch (cause) {
    throw new AssertionError('the assertion is no signed JWT', { cause });
  }
  throw new AssertionError('the assertion must have alg in its header, and the claims iss and sub');
};

const byAnotherKey = "the assertion's signature does not verify";

const problemOf = (error: unknown): string => {
  if (error instanceof errors.JWTExpired) return 'the assertion has expired';
  if (error instanceof errors.JWTClaimValidationFailed) return `the assertion's ${error.claim} is missing or not valid`;
  return byAnotherKey;
};

const assertTimes = (
  { exp, iat }: { readonly exp: number; readonly iat?: number },
  { iatOptional, maxSeconds, now }: AssertionRules,
): void => {
  const nowSeconds = now / 1000;
  if (iat === undefined && !iatOptional) throw new AssertionError("the assertion's iat is missing");
  if ((iat ?? 0) > nowSeconds + clockSkewSeconds) throw new AssertionError('the assertion was issued in the future');
  // Limited, because its `jti` must be stored until it expires.
  if (exp - Math.min(iat ?? nowSeconds, nowSeconds) > maxSeconds)
    throw new AssertionError(`the assertion may be valid for ${maxSeconds} seconds at most`);
};

/**
 * Verifies an assertion with the key of the issuer it names (RFC 7523, section 3). The caller ensures single use.
 * @throws AssertionError
 */
const verifyAssertion = async (
  jwt: string,
  { issuer, jwk }: Pick<TrustedIssuer, 'issuer' | 'jwk'>,
  rules: AssertionRules,
): Promise<VerifiedAssertion> => {
  const verified = await jwtVerify(jwt, importPublicKey(jwk), {
    // The list excludes `none`, and keyed hashes, which any caller with the public key could compute.
    algorithms: typeof jwk.alg === 'string' ? [jwk.alg] : [...asymmetricAlgorithms],
    issuer,
    audience: [...rules.audience],
    requiredClaims: ['exp', 'sub', ...(rules.jtiOptional ? [] : ['jti'])],
    currentDate: new Date(rules.now),
    clockTolerance: clockSkewSeconds,
  }).catch((cause: unknown) => {
    throw new AssertionError(problemOf(cause), { cause });
  });
  const { exp = 0, iat, jti, sub, aud } = verified.payload;
  assertTimes({ exp, iat }, rules);
  if (jti !== undefined && !isName(jti)) throw new AssertionError("the assertion's jti is not valid");
  if (!isName(sub) || hasOuterSpace(sub)) throw new AssertionError("the assertion's sub is not valid");
  return { issuer, subject: sub, exp, jti, audience: [aud ?? []].flat(), claims: verified.payload };
};

export interface TrustedAssertion {
  readonly assertion: VerifiedAssertion;
  readonly trusted: TrustedIssuer;
}

/**
 * Verifies an assertion with the first key that matches its signature.
 * @throws AssertionError
 */
export const verifyByOneOf = async (
  jwt: string,
  issuers: readonly TrustedIssuer[],
  rules: AssertionRules,
): Promise<TrustedAssertion> => {
  let failure = new AssertionError('the issuer of the assertion is not trusted with that key');
  for (const trusted of issuers) {
    try {
      return { assertion: await verifyAssertion(jwt, trusted, rules), trusted };
    } catch (error) {
      if (!(error instanceof AssertionError) || error.message !== byAnotherKey) throw error;
      failure = error;
    }
  }
  throw failure;
};
