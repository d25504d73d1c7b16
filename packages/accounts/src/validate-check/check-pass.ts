import { createHash } from 'node:crypto';
import type { CodeVerdict, SecondFactors } from '../second-factors/index.ts';
import type { AcceptedToken } from './answers.ts';

/**
 * The content of `pass`. `pin`: the static PIN, as for privacyIDEA's SPASS tokens. `pin_otp`: the PIN, followed by a TOTP or
 * HOTP code. `password_otp`: the password of the directory, followed by a code.
 */
export type PassMode = 'pin' | 'pin_otp' | 'password_otp';

export interface PassOperations {
  /** The subject of a user who may sign in; undefined for unknown, locked and disabled users. Outages are thrown. */
  find(login: string): Promise<string | undefined>;
  /** Checks a password as a sign-in does, with its limit of attempts. Returns the subject. Outages are thrown. */
  checkPassword(login: string, password: string): Promise<string | undefined>;
  readonly factors: Pick<SecondFactors, 'verifyCode' | 'list'>;
}

export interface PassVerdict {
  readonly subject?: string | undefined;
  readonly token?: AcceptedToken | undefined;
}

const otpDigits = 6;

const tokenOf = (verdict: CodeVerdict): AcceptedToken | undefined => {
  if (verdict.outcome !== 'accepted') return undefined;
  const { kind, id = '' } = verdict.verified;
  return { serial: id, type: kind === 'totp' || kind === 'hotp' ? kind : 'spass' };
};

/**
 * PINs have a count of their own, because no password comes before them: an attacker cannot lock users out of the login
 * page. An unknown user is counted and refused as a user without a PIN is, in the same time.
 */
const checkPin = async ({ find, factors }: PassOperations, login: string, pin: string): Promise<PassVerdict> => {
  const subject = await find(login);
  const attemptKey = `validate:${subject ?? createHash('sha256').update(login).digest('base64url')}`;
  const verdict = await factors.verifyCode({ subject: subject ?? '', kind: 'pin', code: pin, attemptKey });
  return { subject, token: tokenOf(verdict) };
};

/** Only kinds that the user has are checked, so that a wrong code is counted once. */
const checkOtp = async ({ factors }: PassOperations, subject: string, code: string) => {
  const kinds = new Set((await factors.list(subject)).map(({ kind }) => kind));
  for (const kind of ['totp', 'hotp'] as const) {
    const token = kinds.has(kind) ? tokenOf(await factors.verifyCode({ subject, kind, code })) : undefined;
    if (token !== undefined) return token;
  }
  return undefined;
};

/** The token that accepts `pass`, if one does, and the subject of a known user. */
export const checkPass = async (
  operations: PassOperations,
  mode: PassMode,
  { login, pass }: { readonly login: string; readonly pass: string },
): Promise<PassVerdict> => {
  if (mode === 'pin') return checkPin(operations, login, pass);
  const [knowledge, code] = [pass.slice(0, -otpDigits), pass.slice(-otpDigits)];
  if (knowledge === '') return {};
  if (mode === 'password_otp') {
    const subject = await operations.checkPassword(login, knowledge);
    return subject === undefined ? {} : { subject, token: await checkOtp(operations, subject, code) };
  }
  const { subject, token } = await checkPin(operations, login, knowledge);
  // The code is checked after the right PIN only: wrong PINs neither use up a code nor count as guesses of codes.
  if (token === undefined || subject === undefined) return { subject };
  return { subject, token: await checkOtp(operations, subject, code) };
};
