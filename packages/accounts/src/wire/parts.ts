import { z } from 'zod';
import { policies } from '../second-factors/policy/settings.ts';
import { factorKinds } from '../second-factors/store.ts';
import { inMilliseconds } from './wire-names.ts';

/** Postgres has no text with NUL: it would fail as in an outage. */
const hasNoNul = (text: string): boolean => !text.includes('\0');
const nul = 'must not have a NUL character';

export const subject = z.string().min(1).max(255).refine(hasNoNul, nul);
export const factorId = z.string().refine(hasNoNul, nul);
export const factorLabel = z.string().max(100).refine(hasNoNul, nul);
export const password = z.string().min(1).max(1024);
export const loginName = z.string().min(1).max(320);
export const language = z.string().max(35).optional().describe('A language tag (BCP 47) for emails.');

/** The user as pages show it. */
export const shownUser = z.object({ subject, name: z.string(), detail: z.string().optional() });

export const factorKind = z.enum(factorKinds);

/** A factor as the user sees it in a list; it holds no secret. */
export const shownFactor = z.object({
  id: z.string(),
  kind: factorKind,
  label: z.string(),
  createdAt: z.date(),
  lastUsedAt: z.date().optional(),
  /** How many recovery codes are left. */
  remaining: z.int().optional(),
});

/** An identity at a provider. */
export const shownIdentity = z.object({
  id: z.string(),
  provider: z.string(),
  label: z.string(),
  shown: z.string().optional(),
  linkedAt: z.date(),
});

export const device = z
  .string()
  .max(4096)
  .optional()
  .describe('The `device` of an earlier sign-in in this browser. Wrong passwords count apart then.');

export const organizationName = z.string().max(64);

export const shownOrganization = z.object({ name: z.string(), displayName: z.string() });

/** The circumstances of a sign-in. `binding` is the login challenge: progress is accepted for the same binding only. */
export const context = z.object({
  binding: z.string().min(1).max(8192),
  clientId: z.string().max(2048).optional(),
  organization: organizationName.optional().describe('The `organization` of the login request.'),
  acrValues: z.array(z.string().max(512)).max(20).optional(),
  /** The address by which failed attempts are counted. */
  address: z.string().max(128).optional(),
  device,
  link: z
    .string()
    .max(8192)
    .optional()
    .describe(
      'The `link` of `providers/finish`: when the sign-in is done, the identity at the provider is linked to the user.',
    ),
});

export const policy = z.enum(policies);

export const limited = z
  .object({ state: z.literal('limited'), retryAfterSeconds: z.int() })
  .describe('Too many failed attempts.');

/**
 * The state of a sign-in after each operation. `progress` is a sealed text of the user and of the factors that were
 * verified. It is valid for 10 minutes, for the same binding.
 */
export const signIn = z.discriminatedUnion('state', [
  z
    .object({ state: z.literal('refused') })
    .describe('Wrong login, password or code; or the account is locked or disabled.'),
  limited,
  z
    .object({ state: z.literal('expired') })
    .describe(
      'The progress or the passkey challenge is too old, or belongs to another binding: the sign-in must start again.',
    ),
  z
    .object({ state: z.literal('factor'), progress: z.string(), user: shownUser, kinds: z.array(factorKind) })
    .describe('The user must verify one of these factors.'),
  z
    .object({
      state: z.literal('enrol'),
      progress: z.string(),
      user: shownUser,
      kinds: z.array(factorKind),
      /** False: the page may offer to skip (`sign-in/skip-enrolment`). */
      required: z.boolean(),
    })
    .describe('The policy asks for a second factor, and the user has none.'),
  z
    .object({
      state: z.literal('choose_organization'),
      progress: z.string(),
      user: shownUser,
      organizations: z.array(shownOrganization),
    })
    .describe('The user is a member of several organizations, and the request names none.'),
  z
    .object({ state: z.literal('not_member') })
    .describe('The sign-in is not one of a member of the organization. Reject the login request with `access_denied`.'),
  z
    .object({ state: z.literal('password_change'), progress: z.string(), user: shownUser })
    .describe('The directory asks for a new password.'),
  z
    .object({ state: z.literal('deletion'), progress: z.string(), user: shownUser, deleteAt: z.date() })
    .describe('The user has asked to be deleted at this time. `sign-in/keep-account` keeps the account and continues.'),
  z
    .object({
      state: z.literal('done'),
      user: shownUser,
      subject,
      acr: z.string(),
      /** RFC 8176. */
      amr: z.array(z.string()),
      authTime: z
        .int()
        .describe(
          'When the password or the passkey was verified, in seconds since 1970. After a sign-in at a provider: when the user authenticated there (0 if the provider does not state it), or when the user then verified a second factor of Carnet. Accept the login request with it as `auth_time`.',
        ),
      claims: z.record(z.string(), z.unknown()),
      organization: z
        .string()
        .optional()
        .describe(
          'The name of the organization, after its check. Pass it to the consent in the `context` of the acceptance.',
        ),
      provider: z
        .string()
        .optional()
        .describe(
          'The provider with which this sign-in began. `organizations/of-user` needs it for the remembered login.',
        ),
      device: z
        .string()
        .optional()
        .describe(
          'A sealed token of this browser, valid for 180 days. Keep it in an HttpOnly cookie, and send it with the next sign-in: an attacker who uses up the attempts of the user then does not lock out this browser. Absent after a sign-in with a passkey alone.',
        ),
    })
    .describe('Accept the login request with subject, acr and amr.'),
]);

/** JSON of WebAuthn (`PublicKeyCredential.toJSON()`), verified by the server. */
export const webauthn = z.record(z.string(), z.unknown());

/** The user whose factors are managed: in a sign-in, or authenticated by the caller. */
export const owner = z.union([z.object({ progress: z.string(), binding: z.string() }), z.object({ subject })]);

/** A result of operations that can fail because of the user's input. */
export const outcome = <Code extends string, Shape extends z.ZodRawShape>(
  codes: readonly [Code, ...Code[]],
  shape: Shape,
) =>
  z.discriminatedUnion('ok', [
    z.object({ ok: z.literal(true), ...shape }),
    z.object({ ok: z.literal(false), error: z.enum(codes), message: z.string().optional() }),
  ]);

export const none = z.object({});

/** A `Date` that is a number of milliseconds since 1970 over HTTP. */
export const milliseconds = z.date().meta(inMilliseconds);

export const enrolled = z
  .string()
  .optional()
  .describe('During a sign-in: the progress with the new factor as verified. Continue with `sign-in/resume`.');
