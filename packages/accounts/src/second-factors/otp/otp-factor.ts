import { openSecret, resealed, sealSecret } from '../secrets/stored-secret.ts';
import type { Factor, Vault } from '../store.ts';
import { decodeBase32 } from './base32.ts';
import type { OtpParameters } from './hotp.ts';
import type { OtpState } from './match-code.ts';

/** The payload of a TOTP or HOTP factor. */
interface OtpPayload extends OtpParameters {
  /** The secret in base32, sealed. */
  readonly secret: string;
  readonly driftSteps: number;
}

export const isOtp = (factor: Factor): factor is Factor & { readonly kind: 'totp' | 'hotp' } =>
  factor.kind === 'totp' || factor.kind === 'hotp';

const parse = (factor: Factor): OtpPayload => JSON.parse(factor.payload);

export const otpState = (vault: Vault, factor: Factor & { readonly kind: 'totp' | 'hotp' }): OtpState => {
  const { secret, driftSteps, ...parameters } = parse(factor);
  const bytes = decodeBase32(openSecret(vault, factor, secret)) ?? Buffer.alloc(0);
  return { kind: factor.kind, secret: bytes, parameters, driftSteps, counter: factor.counter };
};

export const otpPayload = (
  vault: Vault,
  factor: Pick<Factor, 'subject' | 'id'>,
  secret: string,
  parameters: OtpParameters,
): string =>
  JSON.stringify({ ...parameters, driftSteps: 0, secret: sealSecret(vault, factor, secret) } satisfies OtpPayload);

/** The payload for the next version: sealed with the current key. */
export const nextPayload = (vault: Vault, factor: Factor, driftSteps?: number): string => {
  const payload = parse(factor);
  return JSON.stringify({
    ...payload,
    driftSteps: driftSteps ?? payload.driftSteps,
    secret: resealed(vault, factor, payload.secret),
  });
};
