import { acceptEmailCode } from './email/email-code.ts';
import type { GuessLimit } from './guesses/guess-limit.ts';
import { matchCode, matchConsecutive } from './otp/match-code.ts';
import { isOtp, nextPayload, otpState } from './otp/otp-factor.ts';
import { checkPin } from './pin/pin-factor.ts';
import type { VerifiedFactor } from './policy/settings.ts';
import { takeCode } from './recovery-codes/recovery-codes.ts';
import type { CodeVerdict, PinHash, Resynchronisation, SecondFactors } from './second-factors.ts';
import { type Acceptance, acceptOnce } from './secrets/accept-once.ts';
import type { Factor, FactorStore, Vault } from './store.ts';

export interface CodeDependencies {
  readonly store: FactorStore;
  readonly vault: Vault;
  readonly hash: PinHash;
  readonly guesses: GuessLimit;
  readonly now: () => number;
}

/** How often the last use of a PIN is recorded at most. */
const pinUseMs = 3_600_000;

const guessKey = (subject: string): string => `factor:${subject}`;

/** PINs have a count of their own: an attacker who knows the PIN must not clear the wrong guesses of codes by it. */
const pinKey = (subject: string): string => `pin:${subject}`;

const guessKeyOf = ({ subject, kind, attemptKey }: Parameters<SecondFactors['verifyCode']>[0]): string =>
  (kind === 'pin' ? pinKey : guessKey)(attemptKey ?? subject);

export const forgetGuesses = async ({ guesses }: Pick<CodeDependencies, 'guesses'>, subject: string): Promise<void> => {
  await Promise.all([guesses.forget(guessKey(subject)), guesses.forget(pinKey(subject))]);
};

const checkOf = (deps: CodeDependencies, factor: Factor, code: string, now: number): Acceptance | undefined => {
  if (factor.kind === 'recovery_code') return takeCode(factor, code);
  if (!isOtp(factor)) return undefined;
  const counter = matchCode(otpState(deps.vault, factor), code, now);
  return counter === undefined ? undefined : { counter, payload: nextPayload(deps.vault, factor) };
};

/**
 * A PIN is not single use: the answer does not wait until its use is recorded, and a failure to record it is ignored.
 * Without a PIN the answer takes as long as with a wrong one.
 */
const acceptPin = async (
  { store, vault, hash }: CodeDependencies,
  factor: Factor | undefined,
  { subject, code, now }: { readonly subject: string; readonly code: string; readonly now: number },
): Promise<Factor | undefined> => {
  if (factor === undefined) {
    await hash.hash(code, subject);
    return undefined;
  }
  const acceptance = await checkPin({ vault, hash }, factor, code);
  if (acceptance === undefined) return undefined;
  const isRecorded = factor.lastUsedAt !== undefined && now - factor.lastUsedAt < pinUseMs;
  const next: Factor = { ...factor, ...acceptance, lastUsedAt: now, version: factor.version + 1 };
  if (!isRecorded || acceptance.payload !== factor.payload) void store.update(next).catch(() => {});
  return factor;
};

/** Tries the code with each confirmed factor of this kind; the first one that accepts it is used. */
const accept = async (
  deps: CodeDependencies,
  { subject, kind, code, sent }: Parameters<SecondFactors['verifyCode']>[0],
): Promise<VerifiedFactor | undefined> => {
  const now = deps.now();
  if (kind === 'email')
    return sent !== undefined && (await acceptEmailCode(deps.store, sent, { code, now })) ? { kind } : undefined;
  const factors = (await deps.store.list(subject)).filter(
    (factor) => factor.kind === kind && factor.confirmedAt !== undefined,
  );
  if (kind === 'pin') return acceptPin(deps, factors[0], { subject, code, now });
  for (const factor of factors) {
    const used = await acceptOnce(deps.store, factor, now, (current) => checkOf(deps, current, code, now));
    if (used !== undefined) return used;
  }
  return undefined;
};

export const verifyCode = async (
  deps: CodeDependencies,
  input: Parameters<SecondFactors['verifyCode']>[0],
): Promise<CodeVerdict> => {
  const guess = await deps.guesses.begin(guessKeyOf(input));
  if (guess.limited !== undefined) return guess.limited;
  const used = await accept(deps, input);
  if (used === undefined) return { outcome: 'refused' };
  await guess.succeed();
  return { outcome: 'accepted', verified: { kind: used.kind, id: used.id } };
};

export const resync = async (
  deps: CodeDependencies,
  { subject, id, codes }: Parameters<SecondFactors['resync']>[0],
): Promise<Resynchronisation> => {
  const guess = await deps.guesses.begin(guessKey(subject));
  if (guess.limited !== undefined) return guess.limited;
  const now = deps.now();
  const factor = (await deps.store.list(subject)).find((each) => each.id === id);
  const used =
    factor &&
    (await acceptOnce(deps.store, factor, now, (current) => {
      const found = isOtp(current) ? matchConsecutive(otpState(deps.vault, current), codes, now) : undefined;
      return found && { counter: found.counter, payload: nextPayload(deps.vault, current, found.driftSteps) };
    }));
  if (!used) return { outcome: 'wrong_code' };
  await guess.succeed();
  return { outcome: 'synchronised' };
};
