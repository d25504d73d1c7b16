import { z } from 'zod';

const strings = z.array(z.string()).readonly();
const extraClaims = z.record(z.string(), z.unknown()).readonly();

/** The remembered login of the browser, as it stood when the flow began. */
const sessionSnapshot = z
  .object({
    sid: z.string(),
    subject: z.string(),
    /** Seconds since 1970. */
    authTime: z.number(),
    acr: z.string().optional(),
    amr: strings.optional(),
  })
  .readonly();

const loginDecision = z
  .object({
    subject: z.string().min(1),
    /** Seconds since 1970: when the person authenticated. */
    authTime: z.number(),
    remember: z.boolean(),
    /** Seconds; absent: the configured session lifetime. */
    rememberFor: z.number().optional(),
    extendSession: z.boolean().optional(),
    acr: z.string().optional(),
    amr: strings.optional(),
    /** Of the session at the login app's own identity provider, to be ended with this one. */
    identityProviderSessionId: z.string().optional(),
    /** What pairwise clients are to know the person by, in place of what is computed. */
    forcedSubject: z.string().optional(),
    /** The consent request gets it unchanged. The list of consents shows it, too. */
    context: z.unknown().optional(),
  })
  .readonly();

const consentDecision = z
  .object({
    scopes: strings,
    audience: strings,
    remember: z.boolean(),
    /** Seconds; absent: for ever. */
    rememberFor: z.number().optional(),
    /** Seconds since 1970. */
    handledAt: z.number(),
    /** The registration id of the client that the consent was given to. */
    registration: z.string().optional(),
    /** Extra claims of the ID token and of userinfo. */
    idToken: extraClaims.optional(),
    /** Extra members (`ext`) of introspection and of JWT access tokens. */
    accessToken: extraClaims.optional(),
    /** What was granted of `authorization_details` (RFC 9396). */
    authorizationDetails: z
      .array(z.looseObject({ type: z.string() }))
      .readonly()
      .optional(),
    /** The consent app's own notes. */
    context: z.unknown().optional(),
  })
  .readonly();

/** A request that waits elsewhere for what is decided here. */
const waiting = z
  .object({
    kind: z.enum(['device', 'backchannel_request']),
    /** Of its record. */
    id: z.string(),
    /** Seconds since 1970. */
    expiresAt: z.number(),
  })
  .readonly();

const rejection = z.object({ error: z.string(), description: z.string().optional() }).readonly();

/**
 * What has been decided so far. What comes out of a seal is ours, but a login app's words are in it: parsed like any
 * input. A member that is not named here does not travel.
 */
export const decisionsSchema = z.object({
  session: sessionSnapshot.optional(),
  /** The login may be skipped for `session`. */
  skipLogin: z.boolean().optional(),
  login: loginDecision.optional(),
  /** The session of a login that is to be remembered was written when the user had signed in. */
  loginKept: z.boolean().optional(),
  /** A remembered consent covers the request. */
  skipConsent: z.boolean().optional(),
  consent: consentDecision.optional(),
  /** The request was pushed (RFC 9126). The flow's id stays random: a cookie proves that a browser began the flow. */
  pushedId: z.string().optional(),
  /** The request names no `redirect_uri`: `params` has the only one of the client, and the redemption may omit it, too. */
  redirectUriOmitted: z.boolean().optional(),
  /** The request was rejected by the login app. */
  rejection: rejection.optional(),
  /** The flow is not the client's own: its end is not a code, but the answer to this request. */
  waiting: waiting.optional(),
});

export type LoginDecision = z.output<typeof loginDecision>;
/** A flow whose user has signed in. */
export type SignedInFlow = FlowState & { readonly login: LoginDecision };
export type ConsentDecision = z.output<typeof consentDecision>;
export type Rejection = z.output<typeof rejection>;
export type PolledRequest = z.output<typeof waiting>;

/**
 * A login on its way:
 *
 *   authorization request -> login_challenge --accept/reject--> login_verifier
 *                         -> consent_challenge --accept/reject--> consent_verifier -> code
 *
 * A device's begins with its user code, and ends with its answer (RFC 8628):
 *
 *   device_challenge --accept--> device_verifier -> login_challenge ... consent_verifier -> decided_request
 *
 * Each arrow seals this state anew for the next purpose and adds one decision. The state travels in the URL; the
 * browser's flow cookie only proves that it is the browser that began (`cookies.ts`), so rolling a cookie back
 * undoes no decision and twenty tabs cost little.
 */
export interface FlowState extends Readonly<z.output<typeof decisionsSchema>> {
  /** 16 bytes, base64url: four of the time it began, twelve random. */
  readonly id: string;
  /** Seconds since 1970. */
  readonly expiresAt: number;
  /** The authorization request, as validated. Nothing is ever read again from a later URL. */
  readonly params: Readonly<Record<string, string>>;
}
