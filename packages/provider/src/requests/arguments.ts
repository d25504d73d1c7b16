import { z } from 'zod';
import { hasOuterSpace, maxSubjectBytes, outerSpaceProblem } from '../subject.ts';
import { exactObject } from '../validation.ts';

/**
 * The rules of the arguments of login, consent, device and CIBA decisions, each stated once: for callers in this
 * process and, by the names of `headless/wire.ts`, for callers over HTTP.
 */

const textOf = (syntax: RegExp, problem: string) => (max: number) =>
  z.string().max(max, `must not be longer than ${max} characters`).regex(syntax, problem);
/** Without control characters: these values reach the tokens, cookies and logs of clients. */
const text = textOf(/^[^\p{Cc}\p{Cs}]*$/u, 'must not contain control characters');
/** RFC 6749, section 4.1.2.1. */
const errorText = textOf(/^[\x20-\x21\x23-\x5b\x5d-\x7e]*$/, 'must be printable ASCII without quotes and backslashes');
const listOf = <T extends z.ZodType>(item: T, max: number) =>
  z.array(item).max(max, `must not have more than ${max} items`);
/** At most about 68 years, so that no date overflows. */
const seconds = z.int().min(0).max(2_147_483_647);
const words = listOf(text(512), 100);

/** Not if it refers to itself, or is so deep that it overflows the stack. */
const isJson = (value: unknown): boolean => {
  try {
    JSON.stringify(value);
    return true;
  } catch {
    return false;
  }
};
const json = z.unknown().refine(isJson, 'must be JSON');
const claims = z
  .record(z.string().max(256), json)
  .refine((extra) => !Object.hasOwn(extra, 'constructor'), 'must not have a member named constructor');

const isExact = (name: string): boolean => !hasOuterSpace(name);
const subject = text(maxSubjectBytes)
  .min(1, 'must not be empty')
  .refine((name) => Buffer.byteLength(name) <= maxSubjectBytes, `must not be longer than ${maxSubjectBytes} bytes`)
  .refine(isExact, outerSpaceProblem);

export interface AcceptLogin {
  /** The user who signed in, by the identifier that never changes. At most 1,024 bytes. */
  readonly subject: string;
  /** Whether the browser stays signed in. Default false. */
  readonly remember?: boolean;
  /** How long the browser stays signed in, in seconds. Default 0: the configured `ttl.authenticationSession`. */
  readonly rememberFor?: number;
  /** Whether a login that was skipped prolongs the remembered session. Default false. */
  readonly extendSession?: boolean;
  /** The Authentication Context Class Reference for the ID token (OpenID Connect Core, section 2). */
  readonly acr?: string;
  /** The authentication methods for the ID token (RFC 8176). */
  readonly amr?: readonly string[];
  /** When the user authenticated, in seconds since 1970. Default: now. 0: unknown, as after a sign-in at a provider that does not tell it. */
  readonly authTime?: number;
  /** The id of the session at your own identity provider. Carnet passes it to `onSessionEnd`. */
  readonly identityProviderSessionId?: string;
  /** The `sub` for pairwise clients, in place of the one that Carnet computes. */
  readonly forceSubjectIdentifier?: string;
  /** Any JSON for the consent page, which gets it unchanged. */
  readonly context?: unknown;
}

export interface AcceptConsent {
  /** The scopes that the user grants. Default: none. */
  readonly grantScopes?: readonly string[];
  /** The audience and resources of the access tokens. Default: none. */
  readonly grantAudience?: readonly string[];
  /** The `authorization_details` that the user grants (RFC 9396). Default: none. */
  readonly grantAuthorizationDetails?: readonly (Readonly<Record<string, unknown>> & { readonly type: string })[];
  /** Claims for the tokens. */
  readonly claims?: {
    /** Claims of the ID token and of userinfo. */
    readonly idToken?: Readonly<Record<string, unknown>>;
    /** The `ext` member of introspection and of JWT access tokens. */
    readonly accessToken?: Readonly<Record<string, unknown>>;
  };
  /** Whether the same request of the same client needs no consent next time. Default false. */
  readonly remember?: boolean;
  /** How long the consent is remembered, in seconds. Default 0: until it is revoked. */
  readonly rememberFor?: number;
  /** Any JSON to be listed with the consent. */
  readonly context?: unknown;
}

export interface AcceptBackchannel
  extends Pick<AcceptLogin, 'subject' | 'acr' | 'amr'>,
    Pick<AcceptConsent, 'grantScopes' | 'grantAudience' | 'claims'> {}

export interface AcceptDevice {
  /** The user code as the user typed it. Case, spaces and hyphens do not matter. */
  readonly userCode: string;
}

/** Why a login or a consent is refused. The client receives it (RFC 6749, section 4.1.2.1). */
export interface RejectRequest {
  /** Default: `login request denied` or `consent request denied`. */
  readonly error?: string;
  readonly errorDescription?: string;
  /** Appended to the description. */
  readonly errorHint?: string;
}

export const acceptLogin = exactObject({
  subject,
  remember: z.boolean().default(false),
  rememberFor: seconds.default(0),
  extendSession: z.boolean().default(false),
  acr: text(256).optional(),
  amr: listOf(text(64), 20).optional(),
  authTime: seconds.optional(),
  identityProviderSessionId: text(512).optional(),
  forceSubjectIdentifier: text(1_024).refine(isExact, outerSpaceProblem).optional(),
  context: json.optional(),
}) satisfies z.ZodType<unknown, AcceptLogin>;

export const tokenClaims = exactObject({ idToken: claims.optional(), accessToken: claims.optional() });

export const acceptConsent = exactObject({
  grantScopes: words.default([]),
  grantAudience: words.default([]),
  grantAuthorizationDetails: listOf(z.looseObject({ type: text(256) }), 20).optional(),
  claims: tokenClaims.default({}),
  remember: z.boolean().default(false),
  rememberFor: seconds.default(0),
  context: json.optional(),
}) satisfies z.ZodType<unknown, AcceptConsent>;

export const acceptBackchannel = exactObject({
  ...acceptLogin.pick({ subject: true, acr: true, amr: true }).shape,
  ...acceptConsent.pick({ grantScopes: true, grantAudience: true, claims: true }).shape,
}) satisfies z.ZodType<unknown, AcceptBackchannel>;

export const acceptDevice = exactObject({ userCode: z.string().max(256) }) satisfies z.ZodType<unknown, AcceptDevice>;

export const rejectRequest = exactObject({
  error: errorText(256).optional(),
  errorDescription: errorText(1_024).optional(),
  errorHint: errorText(1_024).optional(),
}) satisfies z.ZodType<unknown, RejectRequest>;

export type LoginArguments = z.output<typeof acceptLogin>;
export type ConsentArguments = z.output<typeof acceptConsent>;
