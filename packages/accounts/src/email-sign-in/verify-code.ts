import type { Circumstances, SignIn, SignInOperations } from '../api/sign-in.ts';
import type { Attempt } from '../attempts/login-attempts.ts';
import type { AccountsEvent } from '../dependencies.ts';
import type { Directories } from '../directory/index.ts';
import { answerCounted, findAndLoad } from '../links/counted-request.ts';
import { acceptEmailCode, type FactorStore } from '../second-factors/index.ts';
import { beginProgress } from '../sign-in/progress.ts';
import type { SignInMachine } from '../sign-in/sign-in-machine.ts';
import { type CodeLimits, forgetCodes } from './code-limits.ts';
import { type FindRecipientDependencies, findRecipient, type Recipient } from './find-recipient.ts';
import { type PendingCode, type PendingCodec, recipientOf } from './pending-code.ts';

export interface VerifyCodeDependencies extends FindRecipientDependencies {
  readonly store: Pick<FactorStore, 'claim'>;
  readonly directories: Pick<Directories, 'find' | 'load' | 'lookupKey'>;
  readonly limits: Pick<CodeLimits, 'guesses' | 'requests' | 'ofUser' | 'fromAddress'>;
  readonly codec: Pick<PendingCodec, 'open'>;
  readonly machine: Pick<SignInMachine, 'advance'>;
  readonly emit: (event: AccountsEvent) => Promise<void>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const audited = { type: 'sign_in', method: 'email' } as const;

/** The user of the code, if it is the one that was sent to the address that the user still has. */
const accept = async (
  dependencies: VerifyCodeDependencies,
  { login, sent }: PendingCode,
  { code, organization }: Pick<Entered, 'code'> & Pick<Circumstances, 'organization'>,
): Promise<{ readonly recipient: Recipient | undefined; readonly isAccepted: boolean }> => {
  const { store, now } = dependencies;
  const recipient = await findRecipient(dependencies, { login, organization });
  const isSame = recipient !== undefined && recipientOf(recipient.account, recipient.to) === sent.to;
  return { recipient, isAccepted: isSame && (await acceptEmailCode(store, sent, { code, now: now() })) };
};

/** Begins the sign-in as after a password: the mailbox is the first factor, and the policy decides which others follow. */
const begin = async (
  { directories, limits, machine, emit, now }: VerifyCodeDependencies,
  pending: PendingCode,
  { account }: Recipient,
  circumstances: Circumstances,
): Promise<SignIn> => {
  const { subject, login, realm, directory, passwordVersion } = account;
  await forgetCodes(limits, { subject, keys: [directories.lookupKey(pending.login)], address: circumstances.address });
  const verified = [{ kind: 'mailbox' as const }];
  const progress = beginProgress({ subject, login, realm, passwordVersion, verified }, now());
  const state = await machine.advance({ progress, account }, circumstances);
  await emit({ ...audited, result: state.state, subject, directory });
  return state;
};

interface Entered {
  readonly code: string;
  readonly circumstances: Circumstances;
  readonly attempt: Pick<Attempt, 'giveBack'>;
}

const verify = async (
  dependencies: VerifyCodeDependencies,
  pending: PendingCode,
  { code, circumstances, attempt }: Entered,
): Promise<SignIn> => {
  const { recipient, isAccepted } = await accept(dependencies, pending, {
    code,
    organization: circumstances.organization,
  });
  if (recipient === undefined || !isAccepted) {
    const { subject, directory } = recipient?.account ?? {};
    await dependencies.emit({ ...audited, result: 'refused', reason: 'wrong_code', subject, directory });
    return { state: 'refused' };
  }
  await attempt.giveBack();
  return begin(dependencies, pending, recipient, circumstances);
};

/** `sign-in/email-code`: the code of an email instead of the password. */
export const createVerifyCode =
  (dependencies: VerifyCodeDependencies): SignInOperations['emailCode'] =>
  async ({ progress, code, ...circumstances }) => {
    const { limits, codec, emit, now } = dependencies;
    const pending = codec.open(progress, circumstances.binding);
    if (pending === undefined || pending.sent.expiresAt <= now()) return { state: 'expired' };
    // Before the check: parallel guesses cannot all begin before the first one has failed.
    const attempt = await limits.guesses.begin(pending.sent.id, circumstances.address);
    if (attempt.retryAfterSeconds !== undefined) {
      await emit({ ...audited, result: 'limited' });
      return { state: 'limited', retryAfterSeconds: attempt.retryAfterSeconds };
    }
    // The whole decision is inside: the user is not disabled, and the password not changed, between the check and the decision.
    return answerCounted(attempt, () => verify(dependencies, pending, { code, circumstances, attempt }), findAndLoad);
  };
