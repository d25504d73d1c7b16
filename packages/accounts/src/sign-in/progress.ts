import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Vault } from '../second-factors/index.ts';

const verified = z.object({
  kind: z.enum(['password', 'provider', 'totp', 'hotp', 'pin', 'recovery_code', 'passkey']),
  id: z.string().optional(),
  isSynced: z.boolean().optional(),
  acr: z.enum(['urn:carnet:2fa', 'phr']).optional(),
  amr: z.array(z.string()).readonly().optional(),
});

const schema = z.object({
  subject: z.string(),
  /** The login name that the user entered, normalised; absent after a sign-in that began with a passkey or at a provider. */
  login: z.string().optional(),
  realm: z.string().optional(),
  verified: z.array(verified).readonly(),
  /** When the first factor was verified, in seconds since 1970. */
  authTime: z.number(),
  /** Milliseconds since 1970. Later steps do not extend it. */
  expiresAt: z.number(),
  passwordVersion: z.string().optional(),
  mustChangePassword: z.boolean().optional(),
  enrolmentSkipped: z.boolean().optional(),
  /** The sign-in at a provider may be older than the request allows. */
  mustVerifyFactor: z.boolean().optional(),
  /** The circumstances that decide the policy, for operations whose input does not contain them. */
  clientId: z.string().optional(),
  acrValues: z.array(z.string()).readonly().optional(),
});

/** A sign-in between two steps. */
export type Progress = Readonly<z.output<typeof schema>>;

export interface ProgressCodec {
  seal(progress: Progress, binding: string): string;
  /** Undefined if the text is too old, was changed, or belongs to another binding. */
  open(text: string, binding: string): Progress | undefined;
}

/** The lifetime of a progress: 10 minutes. */
const lifetimeMs = 600_000;

/** The progress of a sign-in whose first factor is verified now. */
export const beginProgress = (members: Omit<Progress, 'authTime' | 'expiresAt'>, now: number): Progress => ({
  ...members,
  authTime: Math.floor(now / 1000),
  expiresAt: now + lifetimeMs,
});

/**
 * Seals the progress of sign-ins.
 *
 * Safe against use in another sign-in because the hash of the binding is authenticated with the text: with another binding
 * the vault cannot decrypt it.
 */
export const createProgressCodec = ({ vault, now }: { vault: Vault; now: () => number }): ProgressCodec => {
  const placeOf = (binding: string): string =>
    `sign-in-progress ${createHash('sha256').update(binding).digest('base64url')}`;
  const decrypt = (text: string, binding: string): unknown => {
    const json = vault.open(placeOf(binding), Buffer.from(text, 'base64url').toString('utf8'));
    return json === undefined ? undefined : JSON.parse(json);
  };
  return {
    seal: (progress, binding) =>
      Buffer.from(vault.seal(placeOf(binding), JSON.stringify(progress))).toString('base64url'),
    open: (text, binding) => {
      const result = schema.safeParse(decrypt(text, binding));
      return result.success && result.data.expiresAt > now() ? result.data : undefined;
    },
  };
};
