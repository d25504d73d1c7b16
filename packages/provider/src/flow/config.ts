import { z } from 'zod';

const secondsPer = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;
const tenYears = 315_360_000;
const message =
  'must be a number of seconds, or a duration such as "30s", "10m", "720h" or "30d", of at most ten years';

const toSeconds = (text: string): number =>
  Number.parseInt(text, 10) * secondsPer[(/[smhd]$/.exec(text)?.[0] ?? 's') as keyof typeof secondsPer];

/** A duration: whole seconds, or text with a unit. Parsed to seconds. */
export const durationSchema = (minimumSeconds: number) =>
  z
    .union(
      [
        z.number(),
        z
          .string()
          .regex(/^\d{1,12}[smhd]?$/)
          .transform(toSeconds),
      ],
      { error: message },
    )
    .refine((seconds) => Number.isInteger(seconds) && seconds <= tenYears, message)
    .refine((seconds) => seconds >= minimumSeconds, `must be at least ${minimumSeconds} seconds`);

export const secretsSchema = z
  .strictObject({
    system: z
      .array(z.string().min(16, 'must have at least 16 characters each: `openssl rand -hex 32` makes one'), {
        error: 'must be a list of secrets',
      })
      .min(1, 'must hold at least one secret')
      .optional()
      .describe('Secrets that logins under way are sealed with: the first seals, all of them open.'),
  })
  .prefault({});

export const ttlSchema = z
  .strictObject({
    loginConsentRequest: durationSchema(60)
      .default(1_800)
      .describe('How long a person may take to log in and consent.'),
    authenticationSession: durationSchema(60).default(2_592_000).describe('How long a login is remembered at most.'),
    accessToken: durationSchema(1).default(3_600).describe('The life of an access token.'),
    refreshToken: durationSchema(1).default(2_592_000).describe('The life of a refresh token.'),
    idToken: durationSchema(1).default(3_600).describe('The life of an ID token.'),
    authCode: durationSchema(1).default(600).describe('How long an authorization code can be redeemed.'),
  })
  .prefault({});
