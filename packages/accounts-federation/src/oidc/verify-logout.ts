import type { OidcProviderOptions, SendUpstream, UpstreamLogout } from '@carnet/accounts';
import { isObject } from '@carnet/adapter-contract/kit';
import { createRemoteJWKSet, customFetch, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import type { ServerMetadata } from 'openid-client';
import { createFetch } from '../http/create-fetch.ts';
import type { Preset } from '../presets/preset.ts';
import type { Configurations } from './configurations.ts';
import { failureOf } from './reasons.ts';

const event = 'http://schemas.openid.net/event/backchannel-logout';
/** The token is accepted for this time, whatever its `exp` is: for so long, its `jti` must be remembered. */
const longestSeconds = 300;
const toleranceSeconds = 30;
const longestId = 512;

const asymmetric = /^(?:RS|PS|ES)(?:256|384|512)$|^(?:EdDSA|Ed25519)$/;

/** The algorithms of the ID tokens of the provider. No symmetric one: the provider signs with its keys. */
const algorithmsOf = ({ id_token_signing_alg_values_supported: supported = ['RS256'] }: ServerMetadata): string[] =>
  supported.filter((alg) => asymmetric.test(alg));

const types: ReadonlySet<string | undefined> = new Set([undefined, 'jwt', 'logout+jwt', 'application/logout+jwt']);

/** `events` is an object with an object for the event: arrays and `null` are none. */
const isLogout = (events: unknown): boolean =>
  isObject(events) && Object.hasOwn(events, event) && isObject(events[event]);

/** Why the claims are not those of a logout token (Back-Channel Logout 1.0, section 2.6); undefined if they are. */
const problemOf = ({ events, nonce, jti }: JWTPayload): string | undefined => {
  if (!isLogout(events)) return 'no_logout_event';
  // An ID token has one: it must not pass as a logout token.
  if (nonce !== undefined) return 'nonce';
  return typeof jti !== 'string' || jti === '' || jti.length > longestId ? 'jti' : undefined;
};

/** Whether the keys of the provider could not be read. The token may be valid. */
const isOutage = (error: unknown): boolean =>
  !(error instanceof errors.JOSEError) || error instanceof errors.JWKSTimeout || error.code === 'ERR_JOSE_GENERIC';

/** A code that names the claim, such as `aud_check_failed` or `exp_missing`. */
const reasonOf = (error: unknown): string =>
  error instanceof errors.JWTClaimValidationFailed || error instanceof errors.JWTExpired
    ? `${error.claim}_${error.reason}`
    : failureOf(error).reason;

interface VerifyLogoutDependencies {
  readonly options: OidcProviderOptions;
  readonly preset: Preset;
  readonly configurations: Configurations;
  readonly send: SendUpstream;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The keys of the provider, which jose reads again for an unknown `kid`, at most every 30 seconds. */
const createKeys = (send: SendUpstream) => {
  const fetch = createFetch(send);
  let known: { readonly url: string; readonly keys: JWTVerifyGetKey } | undefined;
  return (url: string): JWTVerifyGetKey => {
    if (known?.url === url) return known.keys;
    const keys = createRemoteJWKSet(new URL(url), {
      [customFetch]: (address, { headers, method, redirect, signal }) =>
        fetch(address, { headers: Object.fromEntries(headers), method, redirect, signal, body: undefined }),
    });
    known = { url, keys };
    return keys;
  };
};

/**
 * Verifies the logout tokens of a provider, as strictly as its ID tokens (OpenID Connect Back-Channel Logout 1.0, section 2.6).
 * openid-client has no function for it.
 */
export const createVerifyLogout = ({ options, preset, configurations, send, now }: VerifyLogoutDependencies) => {
  const keysOf = createKeys(send);
  const verify = async (token: string): Promise<UpstreamLogout> => {
    const metadata = (await configurations.current()).serverMetadata();
    if (metadata.jwks_uri === undefined) return { outcome: 'failed', reason: 'no_keys' };
    const { payload, protectedHeader } = await jwtVerify(token, keysOf(metadata.jwks_uri), {
      issuer: metadata.issuer,
      audience: options.clientId,
      algorithms: algorithmsOf(metadata),
      requiredClaims: ['iat', 'exp', 'jti'],
      maxTokenAge: longestSeconds,
      clockTolerance: toleranceSeconds,
      currentDate: new Date(now()),
    });
    const problem = types.has(protectedHeader.typ?.toLowerCase()) ? problemOf(payload) : 'typ';
    if (problem !== undefined) return { outcome: 'failed', reason: problem };
    const subject = preset.subjectOf(payload);
    // A token with a `sid` alone names a session of the provider, of which nothing is stored here.
    if (subject === undefined) return { outcome: 'failed', reason: 'no_subject' };
    const { jti = '', iat = 0 } = payload;
    return { outcome: 'verified', subject, id: jti, expiresAt: (iat + longestSeconds + 2 * toleranceSeconds) * 1_000 };
  };
  return async (token: string): Promise<UpstreamLogout> => {
    try {
      return await verify(token);
    } catch (error) {
      const reason = reasonOf(error);
      // Without the cause: it may hold the answer of the provider.
      if (isOutage(error)) throw new Error(reason);
      return { outcome: 'failed', reason };
    }
  };
};
