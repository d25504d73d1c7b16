import { z } from 'zod';
import { members, strings, texts } from '../storage/payload.ts';

/** Read-only for the compiler alone. `z.readonly` freezes each object, which costs more than the check of its members. */
const readonly = <T>(schema: z.ZodType<T>): z.ZodType<Readonly<T>> => schema;

/** The remembered login of the browser at the time the flow began. */
const sessionSnapshot = readonly(
  z.object({
    sid: z.string(),
    subject: z.string(),
    /** Seconds since 1970. */
    authTime: z.number(),
    acr: z.string().optional(),
    amr: strings.optional(),
  }),
);

const loginDecision = readonly(
  z.object({
    subject: z.string().min(1),
    /** Seconds since 1970: when the user authenticated. 0: unknown. */
    authTime: z.number(),
    /** Seconds since 1970: when the login was accepted. Absent: at `authTime`. */
    acceptedAt: z.number().optional(),
    remember: z.boolean(),
    /** Seconds. Absent: the configured session lifetime. */
    rememberFor: z.number().optional(),
    extendSession: z.boolean().optional(),
    acr: z.string().optional(),
    amr: strings.optional(),
    /** The session at the login app's own identity provider. It ends together with this session. */
    identityProviderSessionId: z.string().optional(),
    /** The subject for pairwise clients, instead of the computed one. */
    forcedSubject: z.string().optional(),
    /** Passed unchanged to the consent request, and shown in the list of consents. */
    context: z.unknown().optional(),
  }),
);

const consentDecision = readonly(
  z.object({
    scopes: strings,
    audience: strings,
    remember: z.boolean(),
    /** Seconds. Absent: no expiry. */
    rememberFor: z.number().optional(),
    /** Seconds since 1970. */
    handledAt: z.number(),
    /** The registration id of the client that the consent was given to. */
    registration: z.string().optional(),
    /** Additional claims of the ID token and of userinfo. */
    idToken: members.optional(),
    /** Additional members (`ext`) of introspection and of JWT access tokens. */
    accessToken: members.optional(),
    /** The granted `authorization_details` (RFC 9396). */
    authorizationDetails: readonly(z.array(z.looseObject({ type: z.string() }))).optional(),
    /** Data of the consent app, not interpreted. */
    context: z.unknown().optional(),
  }),
);

/**
 * The polled request (device or CIBA) that this flow decides. The member name `waiting` is part of the sealed format.
 */
const waiting = readonly(
  z.object({
    kind: z.enum(['device', 'backchannel_request']),
    /** The id of the record of the request. */
    id: z.string(),
    /** Seconds since 1970. */
    expiresAt: z.number(),
  }),
);

/** The device that asked (RFC 8628). The consent page shows it to the user, who compares it with the own device. */
const askingDevice = readonly(
  z.object({
    /** Seconds since 1970. */
    requestedAt: z.number(),
    /** The IP address of the device. */
    address: z.string().optional(),
    /** The code that the user entered. */
    userCode: z.string().optional(),
  }),
);

const rejection = readonly(z.object({ error: z.string(), description: z.string().optional() }));

/**
 * The decisions so far. Carnet sealed them, but they contain input of the login app, so that they are parsed like other
 * input. A member that is not listed here is not carried to the next step.
 */
export const decisionsSchema = z.object({
  session: sessionSnapshot.optional(),
  /** The login may be skipped for `session`. */
  skipLogin: z.boolean().optional(),
  login: loginDecision.optional(),
  /** The session of a remembered login was stored right after the user signed in. */
  loginKept: z.boolean().optional(),
  /** A remembered consent covers the request. */
  skipConsent: z.boolean().optional(),
  consent: consentDecision.optional(),
  /** The request was pushed (RFC 9126). The flow's id stays random: a cookie proves that a browser began the flow. */
  pushedId: z.string().optional(),
  /** Parameters of the request that Carnet does not know, for the login and consent app. Not part of the code. */
  extra: texts.optional(),
  /** The request has no `redirect_uri`: `params` has the client's only one, and the token request may omit it, too. */
  redirectUriOmitted: z.boolean().optional(),
  /** The request was rejected by the login app. */
  rejection: rejection.optional(),
  /** The flow ends with the decision on this polled request instead of a code. */
  waiting: waiting.optional(),
  device: askingDevice.optional(),
});

export type LoginDecision = z.output<typeof loginDecision>;
/** A flow whose user has signed in. */
export type SignedInFlow = FlowState & { readonly login: LoginDecision };
export type ConsentDecision = z.output<typeof consentDecision>;
export type Rejection = z.output<typeof rejection>;
export type PolledRequest = z.output<typeof waiting>;
export type AskingDevice = z.output<typeof askingDevice>;

/**
 * The state of a login flow:
 *
 *   authorization request -> login_challenge --accept/reject--> login_verifier
 *                         -> consent_challenge --accept/reject--> consent_verifier -> code
 *
 * The flow of a device begins with its user code and ends with the decision (RFC 8628):
 *
 *   device_challenge --accept--> device_verifier -> login_challenge ... consent_verifier -> decided_request
 *
 * Each arrow seals this state for the next purpose and adds one decision. The state travels in the URL. The flow cookie
 * only proves that this browser began the flow (`cookies.ts`): restoring an old cookie undoes no decision, and each
 * further tab costs one short cookie.
 */
export interface FlowState extends Readonly<z.output<typeof decisionsSchema>> {
  /** 16 bytes, base64url: four bytes of the time it began, twelve random ones. */
  readonly id: string;
  /** Seconds since 1970. */
  readonly expiresAt: number;
  /** The validated authorization request. Parameters are never read from a later URL. */
  readonly params: Readonly<Record<string, string>>;
}

/** A flow with both decisions, from which a code or tokens can be issued. */
export interface DecidedFlow extends FlowState {
  readonly login: LoginDecision;
  readonly consent: ConsentDecision;
}

export const isDecided = (state: FlowState): state is DecidedFlow =>
  state.login !== undefined && state.consent !== undefined;

/** Whether a flow ends with tokens, as far as the user decides. */
export const isAllowed = (state: FlowState): state is DecidedFlow => state.rejection === undefined && isDecided(state);
