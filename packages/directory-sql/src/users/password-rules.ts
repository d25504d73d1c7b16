import { normaliseLogin } from '@carnet/directory';

const defaultMinimumPasswordLength = 8;
const longestPassword = 1024;

export interface PasswordRules {
  /** The reason why the password is refused, in one sentence; undefined if it is accepted. */
  problemOf(password: string, logins: readonly string[]): string | undefined;
}

/** Rules for new passwords, after NIST SP 800-63B: a minimum length and no guessable value; no rules of composition. */
export const createPasswordRules = (minimumLength = defaultMinimumPasswordLength): PasswordRules => ({
  problemOf(password, logins) {
    if (password.includes('\0')) return 'The password must not contain a NUL character.';
    if (password.length > longestPassword) return `The password must have at most ${longestPassword} characters.`;
    if ([...password].length < minimumLength) return `The password must have at least ${minimumLength} characters.`;
    const asLogin = normaliseLogin(password);
    if (asLogin !== undefined && logins.includes(asLogin)) return 'The password must not be the login name.';
    return undefined;
  },
});
