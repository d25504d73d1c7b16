import type { VerifiedFactor } from './settings.ts';

/** The `acr` values, from weak to strong: one factor, two factors, a passkey. `phr` is defined by OpenID Connect EAP. */
export const acrValues = ['urn:carnet:1fa', 'urn:carnet:2fa', 'phr'] as const;

export type Acr = (typeof acrValues)[number];

/** -1 for an unknown value. */
export const rankOf = (acr: string): number => acrValues.indexOf(acr as Acr);

const amrOf: Readonly<Record<VerifiedFactor['kind'], readonly string[]>> = {
  password: ['pwd'],
  // Not in the registry of RFC 8176, which allows other values (section 2): the one of Microsoft Entra for the same thing.
  provider: ['fed'],
  pin: ['pin'],
  totp: ['otp'],
  hotp: ['otp'],
  recovery_code: ['otp'],
  email: ['otp'],
  mailbox: ['otp'],
  passkey: ['pop', 'user'],
};

/**
 * The assurance that the verified factors give. A password and a PIN are both knowledge: together they are one factor. The
 * sign-in at a provider is one factor, unless the factors of the provider are accepted.
 */
export const assuranceOf = (verified: readonly VerifiedFactor[]): { acr: Acr; amr: readonly string[] } => {
  const has = (...kinds: readonly VerifiedFactor['kind'][]) => verified.some(({ kind }) => kinds.includes(kind));
  const keys = verified.filter(({ kind }) => kind === 'passkey').map(({ isSynced }) => (isSynced ? 'swk' : 'hwk'));
  const hasOwnCode =
    (has('password', 'provider', 'mailbox') && has('totp', 'hotp', 'recovery_code')) ||
    (has('password') && has('email'));
  const isResistant = has('passkey') || verified.some((factor) => factor.acr === 'phr');
  const hasTwo = isResistant || hasOwnCode || verified.some((factor) => factor.acr !== undefined);
  const methods = verified.flatMap(({ kind, amr: ofProvider = [] }) => [...amrOf[kind], ...ofProvider]);
  const amr = [...methods, ...keys, ...(hasTwo ? ['mfa'] : [])];
  const acr = isResistant ? 'phr' : hasTwo ? 'urn:carnet:2fa' : 'urn:carnet:1fa';
  return { acr, amr: [...new Set(amr)] };
};
