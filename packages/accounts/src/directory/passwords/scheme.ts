/** Reads one format of password hashes. Undefined for a text in another format. */
export type Scheme = (encoded: string) => ParsedHash | undefined;

export interface ParsedHash {
  /**
   * The scheme and its cost, such as `bcrypt 12`: hashes of the same cost take the same time. It contains neither salt nor
   * digest.
   */
  readonly cost: string;
  /** The reason why the hash is refused: its parameters would take too much memory or time. */
  readonly problem?: string;
  /** Whether the hash is of this password. Called only without a `problem`, and only in a thread for hashes. */
  matches(password: string): boolean;
}

/** The bytes of base64 text with or without padding; `.` is accepted for `+`, as passlib writes it. */
export const fromBase64 = (text: string): Buffer => Buffer.from(text.replaceAll('.', '+'), 'base64');
