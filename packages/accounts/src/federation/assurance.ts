import type { ProviderOptions } from '../options.ts';
import type { VerifiedFactor } from '../second-factors/index.ts';
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
