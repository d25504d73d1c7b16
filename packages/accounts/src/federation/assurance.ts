import type { ProviderOptions } from '../options.ts';
import type { VerifiedFactor } from '../second-factors/index.ts';
import type { Flow } from './flow-state.ts';
import type { UpstreamUser } from './port.ts';

/** The values of RFC 8176, section 2. Other values of a provider mean nothing to our clients. */
const registered: ReadonlySet<string> = new Set([
  ...['face', 'fpt', 'geo', 'hwk', 'iris', 'kba', 'mca', 'mfa', 'otp', 'pin', 'pop', 'pwd', 'rba', 'retina', 'sc'],
  ...['sms', 'swk', 'tel', 'user', 'vbm', 'wia'],
]);

/** The class of a provider's sign-in. `phrh`: as `phr`, in hardware (OpenID Connect EAP ACR Values 1.0). */
const classOf = ({ acr, amr }: UpstreamUser): VerifiedFactor['acr'] => {
  if (acr === 'phr' || acr === 'phrh') return 'phr';
  return acr === 'urn:carnet:2fa' || amr.includes('mfa') ? 'urn:carnet:2fa' : undefined;
};

/**
 * The sign-in at a provider as the first factor of ours. Its own factors are accepted only if the configuration says so, and
 * only if the sign-in is as recent as the request asked for.
 */
export const verifiedBy = ({ factors }: Pick<ProviderOptions, 'factors'>, user: UpstreamUser): VerifiedFactor => {
  if (factors === 'own' || !user.isFresh) return { kind: 'provider' };
  const acr = classOf(user);
  return {
    kind: 'provider',
    ...(acr !== undefined && { acr }),
    amr: user.amr.filter((value) => registered.has(value)),
  };
};

/**
 * When the user authenticated at the provider, in seconds since 1970. Our redirect, or the answer, is no such time: the provider
 * may have recognised a session that is weeks old, and the thief of a browser would get a login that is fresh for `max_age`.
 * Without a time of the provider, it is the earliest time that a fresh sign-in can have had, if the request asked for one and
 * the provider has proved it. Otherwise it is unknown, which is 0: such a login fulfils no `max_age`, and its tokens have no
 * `auth_time`.
 */
export const authTimeOf = (
  { authTime, isFresh }: Pick<UpstreamUser, 'authTime' | 'isFresh'>,
  { begunAt, maxAge, isLoginForced }: Pick<Flow, 'begunAt' | 'maxAge' | 'isLoginForced'>,
  now: number,
): number => {
  const seconds = Math.floor(now / 1_000);
  // The clock of the provider may be ahead.
  if (authTime !== undefined) return Math.min(authTime, seconds);
  if (!isFresh || (maxAge === undefined && !isLoginForced)) return 0;
  return Math.floor(begunAt / 1_000) - (isLoginForced ? 0 : (maxAge ?? 0));
};
