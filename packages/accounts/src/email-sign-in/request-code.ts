import { randomBytes } from 'node:crypto';
import type { SignInOperations } from '../api/sign-in.ts';
import type { LoginAttempts } from '../attempts/login-attempts.ts';
import type { AccountsEvent } from '../dependencies.ts';
import type { DeviceTokens, KnownDevice } from '../devices/device-tokens.ts';
import type { Directories } from '../directory/index.ts';
import { answerCounted, findAndLoad } from '../links/counted-request.ts';
import type { AccountMails } from '../mail/mail.ts';
import { createEmailCode } from '../second-factors/index.ts';
import { textOf } from '../users/shown-user.ts';
import { type CodeLimits, takeAll, takeFrom } from './code-limits.ts';
import { type FindRecipientDependencies, findRecipient } from './find-recipient.ts';
import { codeSeconds, type PendingCode, type PendingCodec, recipientOf } from './pending-code.ts';

export interface RequestCodeDependencies extends FindRecipientDependencies {
  readonly directories: Pick<Directories, 'find' | 'load' | 'lookupKey'>;
  readonly mails: AccountMails;
  readonly limits: CodeLimits;
  readonly devices: Pick<DeviceTokens, 'find'>;
  readonly codec: Pick<PendingCodec, 'seal'>;
  readonly emit: (event: AccountsEvent) => Promise<void>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

type CodeRequest = Parameters<SignInOperations['requestEmailCode']>[0];

/** Sends a code, if the user exists and has not got too many. The result has the same form in every case. */
const sendCode = async (
  dependencies: RequestCodeDependencies,
  { login, language, organization, address }: Pick<CodeRequest, 'login' | 'language' | 'organization' | 'address'>,
  known: KnownDevice | undefined,
): Promise<PendingCode> => {
  const { directories, limits, mails, emit, now } = dependencies;
  const recipient = await findRecipient(dependencies, { login, organization });
  const subject = recipient?.account.subject;
  // An unknown user is counted too, so that the duration is the same. Each alias has a count of its own in `requests`: this one
  // limits the emails that all of them send, and the answer does not change, which would reveal that they are one user.
  const owner = subject ?? `unknown ${directories.lookupKey(login)}`;
  const mayGet =
    known?.isOf(subject) ||
    ((await takeFrom(limits, address, ['user', owner])) ?? (await takeAll(limits.ofUser, owner))) === undefined;
  const receiver: typeof recipient = mayGet ? recipient : undefined;
  // The administrator sees it, and the answer does not.
  if (!mayGet && subject !== undefined) await emit({ type: 'sign_in', method: 'email', result: 'limited', subject });
  // Safe for a code that was not sent: no user has the random digest, so that no guess is accepted.
  const to =
    receiver === undefined ? randomBytes(32).toString('base64url') : recipientOf(receiver.account, receiver.to);
  const { code, sent } = createEmailCode({ to, expiresAt: now() + codeSeconds * 1_000 });
  if (receiver !== undefined)
    mails.send('emailSignInCode', {
      to: receiver.to,
      name: receiver.to,
      code,
      validSeconds: codeSeconds,
      language: textOf(receiver.account.claims.locale) ?? language,
    });
  return { login, sent };
};

/** `sign-in/request-email-code`. The answer is equal for known and unknown users, in the same time. */
export const createRequestCode =
  (dependencies: RequestCodeDependencies): SignInOperations['requestEmailCode'] =>
  async ({ login, language, organization, binding, address, device }) => {
    const { directories, limits, devices, codec, emit } = dependencies;
    const key = directories.lookupKey(login);
    const known = devices.find(device, { key });
    const [limit, counted, from]: [LoginAttempts, string, string | undefined] =
      known === undefined ? [limits.requests, key, address] : [limits.ofDevice, known.id, undefined];
    const limited = async (retryAfterSeconds: number) => {
      await emit({ type: 'sign_in', method: 'email', result: 'limited' });
      return { state: 'limited' as const, retryAfterSeconds };
    };
    const waitSeconds = known === undefined ? await takeFrom(limits, address, ['login', key]) : undefined;
    if (waitSeconds !== undefined) return limited(waitSeconds);
    const attempt = await limit.begin(counted, from);
    if (attempt.retryAfterSeconds !== undefined) return limited(attempt.retryAfterSeconds);
    const pending = await answerCounted(
      attempt,
      () => sendCode(dependencies, { login, language, organization, address }, known),
      findAndLoad,
    );
    return { state: 'email_code', progress: codec.seal(pending, binding) };
  };
