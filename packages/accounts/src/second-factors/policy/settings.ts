import type { FactorKind } from '../store.ts';

/**
 * From lax to strict. `none`: the password is enough. `optional`: a user who has a second factor must verify it.
 * `required`: every user must verify one. `phishing_resistant`: every user must verify a passkey.
 */
export const policies = ['none', 'optional', 'required', 'phishing_resistant'] as const;

export type Policy = (typeof policies)[number];

/** The circumstances of a sign-in that decide which factors it needs. */
export interface SignInContext {
  readonly realm?: string | undefined;
  readonly clientId?: string | undefined;
  /** The name of the organization for which the user signs in. */
  readonly organization?: string | undefined;
  /** The request's `acr_values`, in the client's order of preference. Unknown values have no effect. */
  readonly acrValues?: readonly string[] | undefined;
  /** The user has declined an enrolment that is not required. */
  readonly enrolmentSkipped?: boolean | undefined;
  /** The sign-in at a provider may be an old one: the user must verify a factor now that existed before. */
  readonly mustVerifyFactor?: boolean | undefined;
  /** The sign-in links an identity: a user who has a factor must verify it, whatever the policy is. */
  readonly linksIdentity?: boolean | undefined;
  /** The user has a verified address, to which a code can be sent. */
  readonly hasVerifiedEmail?: boolean | undefined;
}

export interface PolicySettings {
  /** For realms without an entry of their own, and for users without a realm. */
  readonly default: Policy;
  readonly realms?: Readonly<Record<string, Policy>> | undefined;
  /** By client id. The strictest one of the policies of the realm, the client and the organization applies. */
  readonly clients?: Readonly<Record<string, Policy>> | undefined;
  /** By the name of the organization. */
  readonly organizations?: Readonly<Record<string, Policy>> | undefined;
  /**
   * The kinds that users may enrol. Factors that they have stay valid; a PIN is accepted at a sign-in only if `pin` is in
   * the list. With `email`, users with a verified address and without another factor have this one.
   */
  readonly kinds: readonly FactorKind[];
  /** Whether `optional` offers an enrolment at each sign-in of a user who has no factor. Default: false. */
  readonly offersEnrolment?: boolean | undefined;
}

/** A factor that the user has verified in this sign-in. It holds no secret. */
export interface VerifiedFactor {
  /** `mailbox`: a code by email in place of the password. `email`: one after the password. */
  readonly kind: 'password' | 'provider' | 'mailbox' | FactorKind;
  /** The id of the factor; absent for the password. */
  readonly id?: string | undefined;
  /** Whether a passkey is copied between devices (`swk`) or bound to one device (`hwk`). */
  readonly isSynced?: boolean | undefined;
  /** The class that the sign-in at a provider has reached, if its factors are accepted and are more than one. */
  readonly acr?: 'urn:carnet:2fa' | 'phr' | undefined;
  /** The methods that the provider has verified, if they are accepted (RFC 8176). */
  readonly amr?: readonly string[] | undefined;
}

/** The next step of a sign-in. */
export type NextStep =
  | { readonly step: 'done'; readonly acr: string; readonly amr: readonly string[] }
  /** The user must verify a factor of one of these kinds. */
  | { readonly step: 'factor'; readonly kinds: readonly FactorKind[] }
  /** The user must enrol a factor of one of these kinds, or may if `required` is false. */
  | { readonly step: 'enrol'; readonly kinds: readonly FactorKind[]; readonly required: boolean }
  /** The user must verify a factor, and has none: the sign-in cannot be completed. */
  | { readonly step: 'refused' };
