import { z } from 'zod';
import type { Vault } from '../second-factors/index.ts';
import { createSealedCodec } from './sealed.ts';

const verified = z.object({
  kind: z.enum(['password', 'provider', 'mailbox', 'totp', 'hotp', 'pin', 'recovery_code', 'passkey', 'email']),
  id: z.string().optional(),
  isSynced: z.boolean().optional(),
  acr: z.enum(['urn:carnet:2fa', 'phr']).optional(),
  amr: z.array(z.string()).readonly().optional(),
});

/** The code by email that this sign-in waits for. */
const sent = z.object({ id: z.string(), to: z.string(), hash: z.string(), expiresAt: z.number() });

const schema = z.object({
  subject: z.string(),
  /** The login name that the user entered, normalised; absent after a sign-in that began with a passkey or at a provider. */
  login: z.string().optional(),
  realm: z.string().optional(),
  verified: z.array(verified).readonly(),
  /** When the first factor was verified, in seconds since 1970. 0: at a time that the provider did not tell. */
  authTime: z.number(),
  /** Milliseconds since 1970. Later steps do not extend it. */
  expiresAt: z.number(),
  passwordVersion: z.string().optional(),
  mustChangePassword: z.boolean().optional(),
  enrolmentSkipped: z.boolean().optional(),
  /** The identity of a sign-in at a provider. */
  identity: z.object({ provider: z.string(), upstreamSubject: z.string() }).readonly().optional(),
  sent: sent.optional(),
  /** The sign-in at a provider may be older than the request allows. */
  mustVerifyFactor: z.boolean().optional(),
  /** The circumstances that decide the policy, for operations whose input does not contain them. */
  clientId: z.string().optional(),
  /** The organization of the request, of the choice of the user, or the only one of the user. */
  organization: z.string().optional(),
  acrValues: z.array(z.string()).readonly().optional(),
  linksIdentity: z.boolean().optional(),
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

/** The progress of a sign-in whose first factor is verified now, or was at `authTime`. */
export const beginProgress = (
  members: Omit<Progress, 'authTime' | 'expiresAt'> & Partial<Pick<Progress, 'authTime'>>,
  now: number,
): Progress => ({ authTime: Math.floor(now / 1000), ...members, expiresAt: now + lifetimeMs });

/** Seals the progress of sign-ins. */
export const createProgressCodec = ({ vault, now }: { vault: Vault; now: () => number }): ProgressCodec => {
  const codec = createSealedCodec<Progress>(vault, 'sign-in-progress', schema);
  return {
    seal: codec.seal,
    open: (text, binding) => {
      const found = codec.open(text, binding);
      return found !== undefined && found.expiresAt > now() ? found : undefined;
    },
  };
};
