import { DirectoryError, type Refusal } from '@carnet/accounts/directory';
import { type Client, PasswordPolicyControl, PasswordPolicyError } from 'ldapts';
import { describeFailure, resultCodeOf } from '../connection/answers.ts';

/** The reasons in the text of Active Directory's result code 49 (`... data 533 ...`), as hexadecimal Windows errors. */
const activeDirectoryReasons: Readonly<Record<string, Refusal>> = {
  '525': 'unknown_user',
  '52e': 'wrong_password',
  '530': 'disabled',
  '531': 'disabled',
  '532': 'expired',
  '533': 'disabled',
  '701': 'expired',
  '773': 'password_change_required',
  '775': 'locked',
};

/** The reasons in the password policy control (draft-behera-ldap-password-policy, section 6.2). */
const policyReasons: Readonly<Record<number, Refusal>> = {
  [PasswordPolicyError.PasswordExpired]: 'expired',
  [PasswordPolicyError.AccountLocked]: 'locked',
  [PasswordPolicyError.ChangeAfterReset]: 'password_change_required',
};

/** The reasons by result code, for codes that concern one account only. */
const codeReasons: Readonly<Record<number, Refusal>> = {
  // 389 Directory Server: the retry limit is exceeded.
  19: 'locked',
  32: 'unknown_user',
  // The entry has no password.
  48: 'wrong_password',
  49: 'wrong_password',
  // 389 Directory Server: the account is inactivated.
  53: 'disabled',
};

/** The reason why the server refused the password; undefined if the answer says nothing about the password. */
const refusalOf = (error: unknown, policyError: number | undefined): Refusal | undefined => {
  const code = resultCodeOf(error);
  if (code === undefined) return undefined;
  const data = /\bdata ([0-9a-f]+)\b/i.exec(error instanceof Error ? error.message : '')?.[1];
  const stated = code === 49 && data !== undefined ? activeDirectoryReasons[data.toLowerCase()] : undefined;
  return stated ?? (policyError === undefined ? undefined : policyReasons[policyError]) ?? codeReasons[code];
};

/**
 * Whether a bind with this password proves that it is right. On some servers, a bind with an empty password succeeds as
 * anonymous (RFC 4513, section 5.1.2), and some ignore all characters after NUL.
 */
export const isUsablePassword = (password: string): boolean => password !== '' && !password.includes('\0');

/**
 * Binds as the user and returns the reason of a refusal; undefined if the server accepted the password.
 *
 * @throws the error of the server, if it does not concern the password
 */
export const bindAs = async (
  client: Client,
  { dn, password }: { readonly dn: string; readonly password: string },
): Promise<Refusal | undefined> => {
  // A server that does not know the control ignores it: it is not critical.
  const policy = new PasswordPolicyControl();
  try {
    await client.bind(dn, password, policy);
    return policy.value?.error === undefined ? undefined : policyReasons[policy.value.error];
  } catch (error) {
    const refusal = refusalOf(error, policy.value?.error);
    if (refusal !== undefined) return refusal;
    throw error;
  }
};

/** The failure of a bind whose answer does not concern the password. */
export const bindFailure = (name: string, error: unknown): unknown =>
  resultCodeOf(error) === undefined
    ? error
    : new DirectoryError('unavailable', name, `bind as the user: ${describeFailure(error)}`, { cause: error });
