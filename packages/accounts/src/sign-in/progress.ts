import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Vault, VerifiedFactor } from '../second-factors/index.ts';

/** A sign-in between two steps. */
export interface Progress {
  readonly subject: string;
  /** The login name that the user entered, normalised; absent after a sign-in that began with a passkey. */
  readonly login?: string | undefined;
  readonly realm?: string | undefined;
  readonly verified: readonly VerifiedFactor[];
  /** When the first factor was verified, in seconds since 1970. */
  readonly authTime: number;
  /** Milliseconds since 1970. Later steps do not extend it. */
  readonly expiresAt: number;
  readonly passwordVersion?: string | undefined;
  readonly mustChangePassword?: boolean | undefined;
  readonly enrolmentSkipped?: boolean | undefined;
  /** The circumstances that decide the policy, for operations whose input does not contain them. */
  readonly clientId?: string | undefined;
  readonly acrValues?: readonly string[] | undefined;
}

export interface ProgressCodec {
  seal(progress: Progress, binding: string): string;
  /** Undefined if the text is too old, was changed, or belongs to another binding. */
  open(text: string, binding: string): Progress | undefined;
}

const verified = z.object({
  kind: z.enum(['password', 'totp', 'hotp', 'pin', 'recovery_code', 'passkey']),
  id: z.string().optional(),
  isSynced: z.boolean().optional(),
});

const schema = z.object({
  subject: z.string(),
  login: z.string().optional(),
  realm: z.string().optional(),
  verified: z.array(verified),
  authTime: z.number(),
  expiresAt: z.number(),
  passwordVersion: z.string().optional(),
  mustChangePassword: z.boolean().optional(),
  enrolmentSkipped: z.boolean().optional(),
  clientId: z.string().optional(),
  acrValues: z.array(z.string()).optional(),
});

/** The lifetime of a progress: 10 minutes. */
export const progressLifetimeMs = 600_000;

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
