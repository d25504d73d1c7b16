import { z } from 'zod';
import type { FactorOperations } from '../api/factors.ts';
import type { OperationsOf } from './operation.ts';
import { enrolled, factorId, factorLabel, language, outcome, owner, shownFactor, subject, webauthn } from './parts.ts';

export const factorOperations = {
  list: {
    summary: "List a user's second factors, without secrets.",
    input: z.object({ owner }),
    output: z.object({ factors: z.array(shownFactor) }),
  },
  begin: {
    summary: 'Begin the enrolment of a TOTP or HOTP factor: secret, URI and QR code.',
    input: z.object({
      owner,
      kind: z.enum(['totp', 'hotp']),
      label: factorLabel.optional(),
      issuer: z.string().max(100),
    }),
    output: z.object({ enrolment: z.string(), secret: z.string(), uri: z.string(), qrSvg: z.string() }),
  },
  confirm: {
    summary: 'Store the factor of an enrolment after one correct code.',
    input: z.object({ owner, enrolment: z.string(), code: z.string().min(1).max(16), language }),
    output: outcome(['wrong_code', 'expired', 'limited'], { factor: shownFactor, progress: enrolled }),
  },
  passkeyOptions: {
    summary: 'Get the options with which a browser creates a passkey.',
    input: z.object({ owner }),
    output: z.object({ options: webauthn, challenge: z.string() }),
  },
  passkey: {
    summary: 'Store a passkey that a browser has created.',
    input: z.object({ owner, challenge: z.string(), response: webauthn, label: factorLabel.optional(), language }),
    output: outcome(['not_verified', 'expired', 'already_registered'], { factor: shownFactor, progress: enrolled }),
  },
  recoveryCodes: {
    summary: "Replace a user's recovery codes. Only this response contains them.",
    input: z.object({ owner, language }),
    output: z.object({ codes: z.array(z.string()) }),
  },
  pin: {
    summary: "Set a user's static PIN.",
    input: z.object({ subject, pin: z.string().min(4).max(128) }),
    output: z.object({ factor: shownFactor }),
  },
  resync: {
    summary: 'Correct the clock or counter of a factor with two consecutive codes.',
    input: z.object({ owner, id: factorId, codes: z.tuple([z.string().max(16), z.string().max(16)]) }),
    output: outcome(['wrong_code', 'limited'], {}),
  },
  remove: {
    summary: "Remove one of a user's factors.",
    input: z.object({ owner, id: factorId, language }),
    output: outcome(['not_found'], {}),
  },
  reset: {
    summary: "Remove all of a user's factors, for a user who has lost them.",
    input: z.object({ subject }),
    output: z.object({ removed: z.int() }),
  },
} as const satisfies OperationsOf<FactorOperations>;
