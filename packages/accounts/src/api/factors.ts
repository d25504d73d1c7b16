import type { Outcome } from './outcome.ts';
import type { FactorKind, WebAuthnJson } from './sign-in.ts';

/** A factor as the user sees it in a list; it holds no secret. */
export interface ShownFactor {
  readonly id: string;
  readonly kind: FactorKind;
  readonly label: string;
  readonly createdAt: Date;
  readonly lastUsedAt?: Date | undefined;
  /** How many recovery codes are left. */
  readonly remaining?: number | undefined;
}

/** The user whose factors are managed: in a sign-in, or authenticated by the caller. */
export type FactorOwner = { readonly progress: string; readonly binding: string } | { readonly subject: string };

interface Owned {
  readonly owner: FactorOwner;
}

interface Noticed extends Owned {
  /** A language tag (BCP 47) for the email to the user. */
  readonly language?: string | undefined;
}

interface Enrolled {
  readonly factor: ShownFactor;
  /** During a sign-in: the progress with the new factor as verified. Continue with `signIn.resume`. */
  readonly progress?: string | undefined;
}

export interface PasskeyEnrolment extends Noticed {
  /** The `challenge` of `passkeyOptions`. */
  readonly challenge: string;
  /** The answer of the browser. */
  readonly response: WebAuthnJson;
  /** At most 100 characters. */
  readonly label?: string | undefined;
}

/** The second factors of a user. The functions throw `expired_progress` for a progress that is too old. */
export interface FactorOperations {
  /** Lists the factors, without secrets. */
  list(input: Owned): Promise<{ readonly factors: readonly ShownFactor[] }>;
  /** Begins the enrolment of a one-time-code app. The factor is stored when `confirm` gets a correct code. */
  begin(
    input: Owned & {
      readonly kind: 'totp' | 'hotp';
      /** At most 100 characters. */
      readonly label?: string | undefined;
      /** The name of the service in the app. At most 100 characters. */
      readonly issuer: string;
    },
  ): Promise<{
    /** Sealed, for `confirm`. */
    readonly enrolment: string;
    readonly secret: string;
    readonly uri: string;
    readonly qrSvg: string;
  }>;
  /** Stores the factor of an enrolment after one correct code. */
  confirm(
    input: Noticed & { readonly enrolment: string; readonly code: string },
  ): Promise<Outcome<'wrong_code' | 'expired' | 'limited', Enrolled>>;
  /** Gets the options with which a browser creates a passkey. */
  passkeyOptions(input: Owned): Promise<{ readonly options: WebAuthnJson; readonly challenge: string }>;
  /** Stores a passkey that a browser has created. */
  passkey(input: PasskeyEnrolment): Promise<Outcome<'not_verified' | 'expired' | 'already_registered', Enrolled>>;
  /** Replaces all recovery codes of the user. They are returned once. */
  recoveryCodes(input: Noticed): Promise<{ readonly codes: readonly string[] }>;
  /** Sets a static PIN, for administrators and imports. 4 to 128 characters. */
  pin(input: { readonly subject: string; readonly pin: string }): Promise<{ readonly factor: ShownFactor }>;
  /** Corrects the clock or the counter of a factor with two consecutive codes. */
  resync(
    input: Owned & { readonly id: string; readonly codes: readonly [string, string] },
  ): Promise<Outcome<'wrong_code' | 'limited'>>;
  remove(input: Noticed & { readonly id: string }): Promise<Outcome<'not_found'>>;
  /** Removes all factors of a user who has lost them, for administrators. */
  reset(input: { readonly subject: string }): Promise<{ readonly removed: number }>;
}
