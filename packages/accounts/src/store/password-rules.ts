/** Returns why a new password is refused, in one sentence; undefined if it is accepted. */
export type NewPasswordCheck = (password: string) => string | undefined | Promise<string | undefined>;

/** The rules of new passwords. */
export interface PasswordRulesOptions {
  /** In characters. Default 8. */
  readonly minimumPasswordLength?: number | undefined;
  /** The name that the pages show to users. No password may consist of it. */
  readonly brand?: string | undefined;
  /** Called with each new password that the other rules accept. */
  readonly check?: NewPasswordCheck | undefined;
}
