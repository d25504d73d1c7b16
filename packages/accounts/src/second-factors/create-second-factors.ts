import { createGuessLimit } from './guesses/guess-limit.ts';
import {
  confirmedFactors,
  listed,
  removeEarlierCodes,
  removeFactor,
  replacePin,
  replaceRecoveryCodes,
} from './manage-factors.ts';
import { beginOtp, confirmOtp } from './otp/enrol.ts';
import type { PasskeyDependencies } from './passkeys/enrol.ts';
import { nextStep } from './policy/next-step.ts';
import { settingsProblems } from './policy/problems.ts';
import { SecondFactorError } from './second-factor-error.ts';
import type { SecondFactors, SecondFactorsDependencies } from './second-factors.ts';
import type { FactorKind } from './store.ts';
import { forgetGuesses, resync, verifyCode } from './verify-code.ts';

/** The passkeys of these dependencies. @throws SecondFactorError `passkeys_off` */
const passkeysOf = ({ store, vault, rp, now = Date.now }: SecondFactorsDependencies): PasskeyDependencies => {
  if (rp) return { store, vault, rp, now };
  throw new SecondFactorError(
    'passkeys_off',
    'Passkeys are off: set the relying-party id and the origins of passkeys.',
  );
};

const assertAllowed = (kinds: readonly FactorKind[], kind: FactorKind): void => {
  if (kinds.includes(kind)) return;
  throw new SecondFactorError('not_allowed', `Users may not enrol ${kind} factors: add ${kind} to the allowed kinds.`);
};

// Imported on demand: the library of passkeys and its certificate parsers are about 300 modules.
const loadEnrolment = () => import('./passkeys/enrol.ts');
const loadSignIn = () => import('./passkeys/verify.ts');

const passkeyFunctions = (deps: SecondFactorsDependencies) =>
  ({
    passkeyOptions: async (input) => (await loadSignIn()).signInOptions(passkeysOf(deps), input),
    verifyPasskey: async (input) => (await loadSignIn()).verifyPasskey(passkeysOf(deps), input),
    async passkeyEnrolmentOptions(input) {
      assertAllowed(deps.policy.kinds, 'passkey');
      return (await loadEnrolment()).enrolmentOptions(passkeysOf(deps), input);
    },
    async enrolPasskey(input) {
      assertAllowed(deps.policy.kinds, 'passkey');
      const result = await (await loadEnrolment()).enrolPasskey(passkeysOf(deps), input);
      if (result.outcome === 'enrolled') await removeEarlierCodes(deps.store, input.subject, result.factor.id);
      return result;
    },
  }) satisfies Partial<SecondFactors>;

/** @throws SecondFactorError `invalid_settings`, with every problem in its message */
export const createSecondFactors = (deps: SecondFactorsDependencies): SecondFactors => {
  const { store, attempts, vault, hash, policy, rp, now = Date.now } = deps;
  const problems = settingsProblems(policy, rp);
  if (problems.length > 0) throw new SecondFactorError('invalid_settings', problems.join('\n'));
  const codes = { store, vault, hash, now, guesses: createGuessLimit(attempts, now) };
  // Without a relying party no passkey can be verified: users who have a passkey sign in with other factors.
  const isUsable = (kind: FactorKind): boolean => kind !== 'passkey' || rp !== undefined;
  const settings = { ...policy, kinds: policy.kinds.filter(isUsable) };
  return {
    async next(subject, verified, context) {
      const enrolled = (await confirmedFactors(store, subject)).map(({ kind }) => kind);
      const kinds: readonly FactorKind[] = context.hasVerifiedEmail ? [...enrolled, 'email'] : enrolled;
      return nextStep(settings, kinds.filter(isUsable), verified, context);
    },
    verifyCode: (input) => verifyCode(codes, input),
    ...passkeyFunctions(deps),
    list: async (subject) => (await confirmedFactors(store, subject)).map(listed),
    async beginOtp(input) {
      assertAllowed(settings.kinds, input.kind);
      return beginOtp(codes, input);
    },
    async confirmOtp(input) {
      const result = await confirmOtp(codes, input);
      if (result.outcome === 'enrolled') await removeEarlierCodes(store, input.subject, result.factor.id);
      return result;
    },
    async createRecoveryCodes(subject) {
      assertAllowed(settings.kinds, 'recovery_code');
      return replaceRecoveryCodes(store, subject, now());
    },
    setPin: (subject, pin) => replacePin({ store, vault, hash }, { subject, pin, now: now() }),
    resync: (input) => resync(codes, input),
    remove: (subject, id) => removeFactor(store, subject, id),
    reset: (subject) => store.removeAll(subject),
    forgetGuesses: (subject) => forgetGuesses(codes, subject),
  };
};
