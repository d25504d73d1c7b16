/**
 * TOTP: RFC 6238. HOTP: RFC 4226. `pin`: a static PIN, as privacyIDEA's SPASS token. `passkey`: WebAuthn. `email`: a code by
 * email, for users with a verified address; it is not enrolled, and the store has no factor of this kind.
 */
export const factorKinds = ['totp', 'hotp', 'pin', 'recovery_code', 'passkey', 'email'] as const;

export type FactorKind = (typeof factorKinds)[number];

/** An enrolled factor of a user. */
export interface Factor {
  readonly id: string;
  readonly subject: string;
  readonly kind: FactorKind;
  /** The name that the user gave it. */
  readonly label: string;
  /** JSON text: secrets are encrypted by a `Vault`, bound to subject and id; passkeys have their public key in it. */
  readonly payload: string;
  /** The last TOTP step or HOTP counter that was accepted, the signature counter of a passkey; otherwise 0. */
  readonly counter: number;
  /** Milliseconds since 1970; undefined until the user has entered one correct code. An unconfirmed factor cannot be used to sign in. */
  readonly confirmedAt: number | undefined;
  readonly createdAt: number;
  readonly lastUsedAt: number | undefined;
  /** Increased by each update: the value for compare-and-set. */
  readonly version: number;
}

/**
 * The store of factors. Laws (`@carnet/accounts/second-factors/laws`):
 *
 * - `update` and `claim` are decided in the store: of 50 parallel calls, in several processes, exactly one succeeds.
 * - A change that was acknowledged is visible to each later read, in every process.
 */
export interface FactorStore {
  list(subject: string): Promise<readonly Factor[]>;
  /** The passkey with this credential id (base64url), which is its factor id. */
  findPasskey(credentialId: string): Promise<Factor | undefined>;
  /** @returns false if the id exists already */
  add(factor: Factor): Promise<boolean>;
  /** Replaces the factor if its stored version is still `factor.version - 1`. @returns whether it was replaced */
  update(factor: Factor): Promise<boolean>;
  /** @returns whether it existed */
  remove(subject: string, id: string): Promise<boolean>;
  /** Removes all factors of a user who is deleted, or whose factors an administrator resets. Returns how many. */
  removeAll(subject: string): Promise<number>;
  /** Claims an id that can be claimed once, such as that of a challenge or a link. @returns false if it was claimed before */
  claim(id: string, expiresAt: number): Promise<boolean>;
}

export interface AttemptCount {
  readonly count: number;
  /** When the count begins again, in milliseconds since 1970. */
  readonly resetAt: number;
}

/** Counts of failed attempts, shared by all processes. */
export interface AttemptStore {
  /** Adds one attempt, in one atomic step, and returns the new count. The window begins with the first attempt. */
  increment(key: string, windowSeconds: number): Promise<AttemptCount>;
  /**
   * Subtracts an attempt that must not be counted after all. The attempt is one of the window that ends at `resetAt`, which
   * `increment` returned: if the key has another window now, nothing is subtracted.
   */
  decrement(key: string, resetAt: number): Promise<void>;
  clear(key: string): Promise<void>;
}

/** Encrypts secrets. `place` binds the text to its record: in another record it cannot be decrypted. */
export interface Vault {
  seal(place: string, text: string): string;
  /** Undefined for any other text, which browsers may send: changed, of another place or key, or never sealed. */
  open(place: string, sealed: string): string | undefined;
  /** Whether it is encrypted with the current key; if not, it is encrypted again at the next use. */
  isCurrent(sealed: string): boolean;
  /**
   * Encrypts texts that travel through a browser, if several issuers have one secret. The database of another issuer may have
   * the same subjects: its texts must be invalid here. Default: this vault.
   */
  readonly ofBrowser?: Pick<Vault, 'seal' | 'open'>;
}
