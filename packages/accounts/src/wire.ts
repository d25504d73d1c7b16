import { z } from 'zod';
import { accountOperations } from './wire-account.ts';
import {
  context,
  enrolled,
  factorId,
  factorKind,
  factorLabel,
  language,
  loginName,
  none,
  outcome,
  owner,
  password,
  policy,
  shownFactor,
  shownUser,
  signIn,
  subject,
  webauthn,
} from './wire-parts.ts';

/**
 * The wire format of the accounts API: `POST /admin/accounts/<operation>` with a JSON body. Each operation has one input
 * and one output schema here. Every member has the same name in process (`carnet.accounts`) and over HTTP.
 */
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
      /** The names of the claims of each scope (`accounts.scopes`), besides the standard scopes. An earlier server has none. */
      scopes: z.record(z.string(), z.array(z.string())).default({}),
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
  /** Cancels the deletion of the account. Until then, the user cannot sign in. */
  'sign-in/keep-account': { input: z.object({ progress: z.string(), language, ...context.shape }), output: signIn },
  'sign-in/new-password': {
    input: z.object({ progress: z.string(), password, next: password, language, ...context.shape }),
    output: z.union([signIn, z.object({ state: z.literal('weak_password'), message: z.string().optional() })]),
  },

  // Accounts
  ...accountOperations,

  // Sign-up and recovery. The answers are equal for known and unknown addresses; only the email differs.
  // Links lead to `link_base`?token=...; a token can be used once. The answer to the token contains `return_to`.
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
    output: outcome(['weak_password', 'invalid_email', 'limited', 'not_supported'], {
      proof: z.string().describe('Keep it in the browser, for `sign-up/confirm`.'),
    }),
  },
  /**
   * Without the `proof` of the request, the password of the request is not used: another one must be chosen
   * (`password_needed`), because an attacker may have sent the form. Without `proof` and `password`, the link stays valid.
   */
  'sign-up/confirm': {
    input: z.object({
      token: z.string().max(8192),
      proof: z.string().max(128).optional(),
      password: password.optional(),
      binding: context.shape.binding.optional().describe('The login challenge of the browser that sent the form.'),
    }),
    output: outcome(['invalid_token', 'already_registered', 'password_needed', 'weak_password'], {
      user: shownUser,
      progress: z.string().optional().describe('For `sign-in/resume` with the `binding`: the password is verified.'),
      return_to: z.string().optional(),
    }),
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
      label: factorLabel.optional(),
      issuer: z.string().max(100),
    }),
    output: z.object({ enrolment: z.string(), secret: z.string(), uri: z.string(), qr_svg: z.string() }),
  },
  'factors/confirm': {
    input: z.object({ owner, enrolment: z.string(), code: z.string().min(1).max(16), language }),
    output: outcome(['wrong_code', 'expired', 'limited'], { factor: shownFactor, progress: enrolled }),
  },
  'factors/passkey-options': {
    input: z.object({ owner }),
    output: z.object({ options: webauthn, challenge: z.string() }),
  },
  'factors/passkey': {
    input: z.object({ owner, challenge: z.string(), response: webauthn, label: factorLabel.optional(), language }),
    output: outcome(['not_verified', 'expired', 'already_registered'], { factor: shownFactor, progress: enrolled }),
  },
  /** Replaces all recovery codes of the user. They are shown once. */
  'factors/recovery-codes': { input: z.object({ owner, language }), output: z.object({ codes: z.array(z.string()) }) },
  /** Sets a static PIN, for administrators and imports. */
  'factors/pin': {
    input: z.object({ subject, pin: z.string().min(4).max(128) }),
    output: z.object({ factor: shownFactor }),
  },
  /** Two consecutive codes correct the clock or the counter of a factor. */
  'factors/resync': {
    input: z.object({ owner, id: factorId, codes: z.tuple([z.string().max(16), z.string().max(16)]) }),
    output: outcome(['wrong_code', 'limited'], {}),
  },
  'factors/remove': { input: z.object({ owner, id: factorId, language }), output: outcome(['not_found'], {}) },
  /** Removes all factors of a user who has lost them, for administrators. */
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
