import type { SentCode } from './email/email-code.ts';
import type { NextStep, PolicySettings, SignInContext, VerifiedFactor } from './policy/settings.ts';
import type { AttemptStore, FactorKind, FactorStore, Vault } from './store.ts';

/**
 * Hashes PINs: `PasswordHashing` of `@carnet/accounts/directory` (argon2id), or the fast `saltedSha256`. `owner` is the subject; a
 * bounded queue lets owners take turns.
 */
export interface PinHash {
  hash(pin: string, owner: string): Promise<string>;
  verify(encoded: string, pin: string, owner: string): Promise<boolean>;
}

/** The relying party of passkeys (WebAuthn). */
export interface RelyingParty {
  /** A domain name, such as `example.com`: passkeys work only on it and on its subdomains. Never change it. */
  readonly id: string;
  /** The name that authenticators show. */
  readonly name: string;
  /** The origins of the login pages, such as `https://login.example.com`. */
  readonly origins: readonly string[];
}

export interface SecondFactorsDependencies {
  readonly store: FactorStore;
  readonly attempts: AttemptStore;
  readonly vault: Vault;
  readonly hash: PinHash;
  readonly policy: PolicySettings;
  /** Passkeys are off without it. */
  readonly rp?: RelyingParty | undefined;
  /** Milliseconds since 1970. Default: `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/** A factor without its secrets. Times are milliseconds since 1970. */
export interface ListedFactor {
  readonly id: string;
  readonly kind: FactorKind;
  readonly label: string;
  readonly createdAt: number;
  readonly lastUsedAt: number | undefined;
  /** The number of unused recovery codes; absent for other kinds. */
  readonly remaining?: number;
}

export interface Limited {
  readonly outcome: 'limited';
  readonly retryAfterSeconds: number;
}

/** The answer to a code. `refused`: the code is wrong, was used before, or the user has no such factor. */
export type CodeVerdict =
  | { readonly outcome: 'accepted'; readonly verified: VerifiedFactor }
  | { readonly outcome: 'refused' }
  | Limited;

/** `reason` is for the log of the operator: it holds no secret, and names a wrong origin or relying-party id. */
export type PasskeyVerdict =
  | { readonly outcome: 'accepted'; readonly subject: string; readonly verified: VerifiedFactor }
  | { readonly outcome: 'refused'; readonly reason: string }
  /** The challenge is older than 10 minutes, was used before, or has another binding. */
  | { readonly outcome: 'expired' };

/** The answer to an enrolment: the new factor is verified as well. */
export type Enrolled = {
  readonly outcome: 'enrolled';
  readonly factor: ListedFactor;
  readonly verified: VerifiedFactor;
};

export type PasskeyEnrolment =
  | Enrolled
  | { readonly outcome: 'not_verified'; readonly reason: string }
  | { readonly outcome: 'expired' | 'already_registered' };

export type OtpEnrolment = Enrolled | { readonly outcome: 'wrong_code' | 'expired' } | Limited;

export type Resynchronisation = { readonly outcome: 'synchronised' | 'wrong_code' } | Limited;

/** Options for the browser, and the sealed challenge that the verification takes. It is valid for 10 minutes, once. */
export interface PasskeyRequest {
  /** JSON for `PublicKeyCredential.parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON`. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly challenge: string;
}

/**
 * The second factors of users. Each code is accepted once, in all processes that share the store. Failures of a store
 * are thrown unchanged, so that an outage is never reported as a wrong code.
 */
export interface SecondFactors {
  /** Decides what this sign-in needs after the factors that the user has verified. */
  next(subject: string, verified: readonly VerifiedFactor[], context: SignInContext): Promise<NextStep>;

  /**
   * Checks a code of any kind but `passkey`. Wrong codes are counted by subject: five, then waits of 5, 10 and 15
   * minutes. Call it only after the right password, or count under a key of its own (`attemptKey`): otherwise an attacker
   * without the password could lock the user out.
   */
  verifyCode(input: {
    subject: string;
    kind: FactorKind;
    code: string;
    /** Default: the subject. */
    attemptKey?: string | undefined;
    /** For the kind `email`: the code that was sent in this sign-in. */
    sent?: SentCode | undefined;
  }): Promise<CodeVerdict>;
  /**
   * Begins a sign-in with a passkey: of any user, or of the given one. `binding` is the login challenge: `verifyPasskey`
   * needs the same one.
   *
   * @throws SecondFactorError `passkeys_off`
   */
  passkeyOptions(input: { binding: string; subject?: string | undefined }): Promise<PasskeyRequest>;
  /** With a subject, a passkey of another user is refused. @throws SecondFactorError `passkeys_off` */
  verifyPasskey(input: {
    binding: string;
    challenge: string;
    response: Readonly<Record<string, unknown>>;
    subject?: string | undefined;
  }): Promise<PasskeyVerdict>;

  list(subject: string): Promise<readonly ListedFactor[]>;
  /** Begins the enrolment of a TOTP or HOTP factor. It is stored by `confirmOtp`. `account` is the user's name in the app. */
  beginOtp(input: {
    subject: string;
    kind: 'totp' | 'hotp';
    issuer: string;
    account: string;
    label?: string | undefined;
  }): Promise<{ enrolment: string; secret: string; uri: string; qrSvg: string }>;
  /** `expired`: the enrolment is older than 30 minutes, was used before, or belongs to another user. */
  confirmOtp(input: { subject: string; enrolment: string; code: string }): Promise<OtpEnrolment>;
  /** `account` and `displayName` are shown by the authenticator. @throws SecondFactorError `passkeys_off` */
  passkeyEnrolmentOptions(input: { subject: string; account: string; displayName: string }): Promise<PasskeyRequest>;
  enrolPasskey(input: {
    subject: string;
    challenge: string;
    response: Readonly<Record<string, unknown>>;
    label?: string | undefined;
  }): Promise<PasskeyEnrolment>;
  /** Replaces the recovery codes of the user with ten new ones. Only this call returns them. */
  createRecoveryCodes(subject: string): Promise<readonly string[]>;
  /** Replaces the static PIN of the user. */
  setPin(subject: string, pin: string): Promise<ListedFactor>;
  /** Corrects the clock or the counter of a factor by two consecutive codes. */
  resync(input: { subject: string; id: string; codes: readonly [string, string] }): Promise<Resynchronisation>;
  /** Removes a factor; with the last one that is no recovery code, the recovery codes too. @returns whether it existed */
  remove(subject: string, id: string): Promise<boolean>;
  /** Removes all factors, for a user who has lost them. Returns how many. */
  reset(subject: string): Promise<number>;
  /** Forgets the wrong codes of a user whom an administrator unlocks. */
  forgetGuesses(subject: string): Promise<void>;
}
