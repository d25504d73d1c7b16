import { z } from 'zod';

/**
 * The wire format of the accounts API: `POST /admin/accounts/<operation>` with a JSON body. Each operation has one input
 * and one output schema here. Every member has the same name in process (`carnet.accounts`) and over HTTP.
 */

const subject = z.string().min(1).max(255);
const password = z.string().min(1).max(1024);
const loginName = z.string().min(1).max(320);
const language = z.string().max(35).optional().describe('A language tag (BCP 47) for emails.');

/** The user as pages show it. */
const shownUser = z.object({ subject, name: z.string(), detail: z.string().optional() });

const factorKind = z.enum(['totp', 'hotp', 'pin', 'recovery_code', 'passkey']);

/** A factor as the user sees it in a list; it holds no secret. */
const shownFactor = z.object({
  id: z.string(),
  kind: factorKind,
  label: z.string(),
  created_at: z.iso.datetime(),
  last_used_at: z.iso.datetime().optional(),
  /** How many recovery codes are left. */
  remaining: z.int().optional(),
});

/** The circumstances of a sign-in. `binding` is the login challenge: progress is accepted for the same binding only. */
const context = z.object({
  binding: z.string().min(1).max(8192),
  client_id: z.string().max(2048).optional(),
  acr_values: z.array(z.string().max(512)).max(20).optional(),
  /** The address by which failed attempts are counted. */
  address: z.string().max(128).optional(),
});

const policy = z.enum(['none', 'optional', 'required', 'phishing_resistant']);

/**
 * The state of a sign-in after each operation. `progress` is a sealed text of the user and of the factors that were
 * verified. It is valid for 10 minutes, for the same binding.
 */
const signIn = z.discriminatedUnion('state', [
  z
    .object({ state: z.literal('refused') })
    .describe('Wrong login, password or code; or the account is locked or disabled.'),
  z.object({ state: z.literal('limited'), retry_after_seconds: z.int() }).describe('Too many failed attempts.'),
  z
    .object({ state: z.literal('expired') })
    .describe(
      'The progress or the passkey challenge is too old, or belongs to another binding: the sign-in begins anew.',
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
    .object({ state: z.literal('password_change'), progress: z.string(), user: shownUser })
    .describe('The directory asks for a new password.'),
  z
    .object({
      state: z.literal('done'),
      user: shownUser,
      subject,
      acr: z.string(),
      /** RFC 8176. */
      amr: z.array(z.string()),
      /** Seconds since 1970. */
      auth_time: z.int(),
      claims: z.record(z.string(), z.unknown()),
    })
    .describe('Accept the login request with subject, acr and amr.'),
]);

/** JSON of WebAuthn (`PublicKeyCredential.toJSON()`), verified by the server. */
const webauthn = z.record(z.string(), z.unknown());

/** Who manages factors: a user during a sign-in, or a user that the caller has authenticated. */
const owner = z.union([z.object({ progress: z.string(), binding: z.string() }), z.object({ subject })]);

/** A result of operations that can fail because of the user's input. */
const outcome = <Code extends string, Shape extends z.ZodRawShape>(codes: readonly [Code, ...Code[]], shape: Shape) =>
  z.discriminatedUnion('ok', [
    z.object({ ok: z.literal(true), ...shape }),
    z.object({ ok: z.literal(false), error: z.enum(codes), message: z.string().optional() }),
  ]);

const none = z.object({});

/** Every operation by name. */
export const operations = {
  /** The features that are on: pages show links for these only. */
  settings: {
    input: none,
    output: z.object({
      sign_up: z.boolean(),
      password_recovery: z.boolean(),
      passkeys: z.boolean(),
      /** Whether the page asks for the login name first, because a realm decides what follows. */
      identifier_first: z.boolean(),
      minimum_password_length: z.int(),
      second_factor: policy,
      factor_kinds: z.array(factorKind),
      /** For `acr_values_supported`. */
      acr_values: z.array(z.string()),
    }),
  },

  // Sign-in. `sign-in/identify` reveals nothing about users: its answer depends on the realm of the login only.
  'sign-in/identify': {
    input: z.object({ login: loginName, ...context.shape }),
    output: z.object({ realm: z.string().optional(), methods: z.array(z.enum(['password', 'passkey'])) }),
  },
  'sign-in/password': { input: z.object({ login: loginName, password, ...context.shape }), output: signIn },
  'sign-in/factor': {
    input: z.object({ progress: z.string(), kind: factorKind, code: z.string().min(1).max(64), ...context.shape }),
    output: signIn,
  },
  'sign-in/passkey-options': {
    input: z.object({ progress: z.string().optional(), ...context.shape }),
    output: z.object({ options: webauthn, challenge: z.string() }),
  },
  'sign-in/passkey': {
    input: z.object({ challenge: z.string(), response: webauthn, progress: z.string().optional(), ...context.shape }),
    output: signIn,
  },
  'sign-in/skip-enrolment': { input: z.object({ progress: z.string(), ...context.shape }), output: signIn },
  /** Continues after an enrolment during the sign-in. */
  'sign-in/resume': { input: z.object({ progress: z.string(), ...context.shape }), output: signIn },
  'sign-in/new-password': {
    input: z.object({ progress: z.string(), password, next: password, ...context.shape }),
    output: z.union([signIn, z.object({ state: z.literal('weak_password'), message: z.string().optional() })]),
  },

  // Accounts
  'account/show': {
    input: z.object({ subject }),
    output: z.object({
      user: shownUser.optional(),
      claims: z.record(z.string(), z.unknown()),
      directory: z.string().optional(),
      /** The actions of the account page that the user may take. */
      can: z.object({ change_password: z.boolean(), edit_profile: z.boolean(), delete_account: z.boolean() }),
    }),
  },
  'account/update': {
    input: z.object({ subject, claims: z.record(z.string(), z.unknown()) }),
    output: outcome(['not_supported', 'invalid_claims'], {}),
  },
  'account/change-password': {
    input: z.object({ subject, current: password, next: password, address: z.string().max(128).optional() }),
    output: outcome(['wrong_password', 'weak_password', 'not_supported', 'limited'], {}),
  },

  // Sign-up and recovery. The answers are equal for known and unknown addresses; the email tells the difference.
  // Links lead to `link_base`?token=...; a token can be used once. `return_to` comes back when the token is used.
  'sign-up/request': {
    input: z.object({
      email: loginName,
      password,
      name: z.string().max(200).optional(),
      language,
      link_base: z.url(),
      return_to: z.string().max(8192).optional(),
      address: z.string().max(128).optional(),
    }),
    output: outcome(['weak_password', 'invalid_email', 'limited', 'not_supported'], {}),
  },
  'sign-up/confirm': {
    input: z.object({ token: z.string().max(8192) }),
    output: outcome(['invalid_token', 'already_registered'], { user: shownUser, return_to: z.string().optional() }),
  },
  'recovery/request': {
    input: z.object({
      login: loginName,
      language,
      link_base: z.url(),
      return_to: z.string().max(8192).optional(),
      address: z.string().max(128).optional(),
    }),
    output: outcome(['limited', 'not_supported'], {}),
  },
  'recovery/inspect': {
    input: z.object({ token: z.string().max(8192) }),
    output: outcome(['invalid_token'], { user: shownUser }),
  },
  'recovery/confirm': {
    input: z.object({ token: z.string().max(8192), password }),
    output: outcome(['invalid_token', 'weak_password'], { user: shownUser, return_to: z.string().optional() }),
  },

  // Second factors
  'factors/list': { input: z.object({ owner }), output: z.object({ factors: z.array(shownFactor) }) },
  /** `enrolment` is sealed. The factor is stored when `factors/confirm` gets a correct code. */
  'factors/begin': {
    input: z.object({
      owner,
      kind: z.enum(['totp', 'hotp']),
      label: z.string().max(100).optional(),
      issuer: z.string().max(100),
    }),
    output: z.object({ enrolment: z.string(), secret: z.string(), uri: z.string(), qr_svg: z.string() }),
  },
  'factors/confirm': {
    input: z.object({ owner, enrolment: z.string(), code: z.string().min(1).max(16) }),
    output: outcome(['wrong_code', 'expired', 'limited'], { factor: shownFactor }),
  },
  'factors/passkey-options': {
    input: z.object({ owner }),
    output: z.object({ options: webauthn, challenge: z.string() }),
  },
  'factors/passkey': {
    input: z.object({ owner, challenge: z.string(), response: webauthn, label: z.string().max(100).optional() }),
    output: outcome(['not_verified', 'expired', 'already_registered'], { factor: shownFactor }),
  },
  /** Replaces all recovery codes of the user. They are shown once. */
  'factors/recovery-codes': { input: z.object({ owner }), output: z.object({ codes: z.array(z.string()) }) },
  /** Sets a static PIN, for administrators and imports. */
  'factors/pin': {
    input: z.object({ subject, pin: z.string().min(4).max(128) }),
    output: z.object({ factor: shownFactor }),
  },
  /** Two consecutive codes correct the clock or the counter of a factor. */
  'factors/resync': {
    input: z.object({ owner, id: z.string(), codes: z.tuple([z.string().max(16), z.string().max(16)]) }),
    output: outcome(['wrong_code', 'limited'], {}),
  },
  'factors/remove': { input: z.object({ owner, id: z.string() }), output: outcome(['not_found'], {}) },
  /** For administrators: a user who has lost every factor. */
  'factors/reset': { input: z.object({ subject }), output: z.object({ removed: z.int() }) },

  // Directories
  'directories/check': {
    input: none,
    output: z.object({
      directories: z.array(
        z.object({
          directory: z.string(),
          steps: z.array(
            z.object({
              target: z.string(),
              step: z.string(),
              ok: z.boolean(),
              ms: z.number(),
              detail: z.string().optional(),
            }),
          ),
        }),
      ),
    }),
  },
  'directories/purge': {
    input: z.object({ directory: z.string().optional(), login: loginName.optional() }),
    output: z.object({ removed: z.int() }),
  },
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>;

export type OperationName = keyof typeof operations;
export type Input<Name extends OperationName> = z.input<(typeof operations)[Name]['input']>;
export type Output<Name extends OperationName> = z.output<(typeof operations)[Name]['output']>;

/** Every operation as a function: in process, or as a client over HTTP. */
export type Accounts = { readonly [Name in OperationName]: (input: Input<Name>) => Promise<Output<Name>> };

export type SignIn = z.output<typeof signIn>;
export type ShownFactor = z.output<typeof shownFactor>;
export type ShownUser = z.output<typeof shownUser>;
