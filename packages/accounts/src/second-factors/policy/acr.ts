import type { VerifiedFactor } from './settings.ts';

/** The `acr` values, from weak to strong: one factor, two factors, a passkey. `phr` is defined by OpenID Connect EAP. */
export const acrValues = ['urn:carnet:1fa', 'urn:carnet:2fa', 'phr'] as const;

export type Acr = (typeof acrValues)[number];

/** -1 for an unknown value. */
export const rankOf = (acr: string): number => acrValues.indexOf(acr as Acr);

const amrOf: Readonly<Record<VerifiedFactor['kind'], readonly string[]>> = {
  password: ['pwd'],
  pin: ['pin'],
  totp: ['otp'],
  hotp: ['otp'],
  recovery_code: ['otp'],
  passkey: ['pop', 'user'],
};

/** The assurance that the verified factors give. A password and a PIN are both knowledge: together they are one factor. */
export const assuranceOf = (verified: readonly VerifiedFactor[]): { acr: Acr; amr: readonly string[] } => {
  const has = (...kinds: readonly VerifiedFactor['kind'][]) => verified.some(({ kind }) => kinds.includes(kind));
  const keys = verified.filter(({ kind }) => kind === 'passkey').map(({ isSynced }) => (isSynced ? 'swk' : 'hwk'));
  const hasTwo = has('passkey') || (has('password') && has('totp', 'hotp', 'recovery_code'));
  const amr = [...verified.flatMap(({ kind }) => amrOf[kind]), ...keys, ...(hasTwo ? ['mfa'] : [])];
  const acr = has('passkey') ? 'phr' : hasTwo ? 'urn:carnet:2fa' : 'urn:carnet:1fa';
  return { acr, amr: [...new Set(amr)] };
};
