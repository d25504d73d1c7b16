import { expiredProgress } from '../accounts-error.ts';
import type { Accounts } from '../api/accounts.ts';
import type { Circumstances, PasskeySignIn, SignIn } from '../api/sign-in.ts';
import type { LoginAttempts } from '../attempts/login-attempts.ts';
import type { AccountsEvent, Logger } from '../dependencies.ts';
import type { Directories } from '../directory/index.ts';
import type { SecondFactors, SentCode } from '../second-factors/index.ts';
import { verifiedEmailOf } from '../users/email-of.ts';
import { beginProgress } from './progress.ts';
import { type Current, inCircumstances, isBarred, type SignInMachine, withVerified } from './sign-in-machine.ts';

export interface FactorStepDependencies {
  readonly directories: Pick<Directories, 'load'>;
  readonly factors: () => Pick<SecondFactors, 'verifyCode' | 'passkeyOptions' | 'verifyPasskey'>;
  readonly machine: SignInMachine;
  /** Limits the codes by email, by subject. */
  readonly codeLimit: Pick<LoginAttempts, 'forget'>;
  readonly emit: (event: AccountsEvent) => Promise<void>;
  readonly logger: Pick<Logger, 'info'>;
  readonly now: () => number;
}

const expired: SignIn = { state: 'expired' };

/** The code that was sent to the address that the user still has. */
const sentTo = ({ progress: { sent }, account }: Current): SentCode | undefined =>
  sent?.to === verifiedEmailOf(account.claims) ? sent : undefined;

const createCodeStep =
  ({ factors, machine, codeLimit, emit, now }: FactorStepDependencies): Accounts['signIn']['factor'] =>
  async ({ progress, kind, code, ...circumstances }) => {
    const current = await machine.resume(progress, circumstances.binding);
    if (current === undefined) return expired;
    const { account } = current;
    const audited = {
      type: 'sign_in',
      method: 'factor',
      subject: account.subject,
      directory: account.directory,
    } as const;
    const next = await machine.next(inCircumstances(current, circumstances));
    // A code that the sign-in does not need is not checked: it stays valid, and wrong ones are not counted.
    if (next.step !== 'factor') return machine.advance(current, circumstances);
    const verdict = next.kinds.includes(kind)
      ? await factors().verifyCode({ subject: account.subject, kind, code, sent: sentTo(current) })
      : { outcome: 'refused' as const };
    if (verdict.outcome === 'limited') {
      await emit({ ...audited, result: 'limited' });
      return { state: 'limited', retryAfterSeconds: verdict.retryAfterSeconds };
    }
    if (verdict.outcome === 'refused') {
      await emit({ ...audited, result: 'refused', reason: 'wrong_code' });
      return { state: 'refused' };
    }
    // The limit is for emails that the user has not asked for.
    if (kind === 'email') await codeLimit.forget(account.subject);
    const progressed = { account, progress: withVerified(current.progress, verdict.verified, now()) };
    const state = await machine.advance(progressed, circumstances);
    await emit({ ...audited, result: state.state });
    return state;
  };

/** Begins a sign-in with a passkey: the user is known by the passkey alone. */
const beginByPasskey = async (
  { directories, now }: FactorStepDependencies,
  subject: string,
): Promise<Current | undefined> => {
  const account = await directories.load(subject);
  if (account === undefined || isBarred(account)) return undefined;
  const { realm, passwordVersion } = account;
  return { account, progress: beginProgress({ subject, realm, passwordVersion, verified: [] }, now()) };
};

const createPasskeyStep = (dependencies: FactorStepDependencies): Accounts['signIn']['passkey'] => {
  const { factors, machine, emit, logger, now } = dependencies;
  const verify = async (
    { challenge, response }: Pick<PasskeySignIn, 'challenge' | 'response'>,
    circumstances: Circumstances,
    current: Current | undefined,
  ): Promise<SignIn> => {
    const { binding } = circumstances;
    const audited = { type: 'sign_in', method: 'passkey' } as const;
    const subject = current?.account.subject;
    const verdict = await factors().verifyPasskey({ binding, challenge, response, subject });
    if (verdict.outcome === 'expired') return expired;
    if (verdict.outcome === 'refused') {
      // The reason may name a wrong origin or relying-party id: the operator needs it, the user does not.
      logger.info({ subject, reason: verdict.reason }, 'A passkey was refused.');
      await emit({ ...audited, result: 'refused', subject, reason: 'wrong_code' });
      return { state: 'refused' };
    }
    const begun = current ?? (await beginByPasskey(dependencies, verdict.subject));
    if (begun === undefined) {
      await emit({ ...audited, result: 'refused', subject: verdict.subject, reason: 'disabled' });
      return { state: 'refused' };
    }
    const { account } = begun;
    const progressed = { account, progress: withVerified(begun.progress, verdict.verified, now()) };
    const state = await machine.advance(progressed, circumstances);
    await emit({ ...audited, result: state.state, subject: account.subject, directory: account.directory });
    return state;
  };
  return async ({ progress, challenge, response, ...circumstances }) => {
    const current = progress === undefined ? undefined : await machine.resume(progress, circumstances.binding);
    if (progress !== undefined && current === undefined) return expired;
    return verify({ challenge, response }, circumstances, current);
  };
};

/** The steps of a sign-in after the password, and the sign-in with a passkey instead of a password. */
export const createFactorSteps = (
  dependencies: FactorStepDependencies,
): Pick<
  Accounts['signIn'],
  'factor' | 'passkeyOptions' | 'passkey' | 'skipEnrolment' | 'resume' | 'chooseOrganization'
> => {
  const { factors, machine } = dependencies;
  return {
    factor: createCodeStep(dependencies),
    passkey: createPasskeyStep(dependencies),
    passkeyOptions: async ({ progress, binding }) => {
      const current = progress === undefined ? undefined : await machine.resume(progress, binding);
      if (progress !== undefined && current === undefined) throw expiredProgress();
      return factors().passkeyOptions({ binding, subject: current?.account.subject });
    },
    skipEnrolment: async ({ progress, ...circumstances }) => {
      const current = await machine.resume(progress, circumstances.binding);
      if (current === undefined) return expired;
      // The policy decides whether the enrolment may be skipped: if it is required, the answer asks for it again.
      const skipped = { ...current, progress: { ...current.progress, enrolmentSkipped: true } };
      return machine.advance(skipped, circumstances);
    },
    chooseOrganization: async ({ progress, chosen, ...circumstances }) => {
      const current = await machine.resume(progress, circumstances.binding);
      if (current === undefined) return expired;
      const named = { ...current, progress: { ...current.progress, organization: chosen } };
      return machine.advance(named, circumstances);
    },
    resume: async ({ progress, ...circumstances }) => {
      const current = await machine.resume(progress, circumstances.binding);
      return current === undefined ? expired : machine.advance(current, circumstances);
    },
  };
};
