import { randomBytes, randomUUID } from 'node:crypto';
import type { GuessLimit } from '../guesses/guess-limit.ts';
import { listed, newFactor } from '../manage-factors.ts';
import type { OtpEnrolment, SecondFactors } from '../second-factors.ts';
import { openExpiring, sealExpiring } from '../secrets/sealed-text.ts';
import type { FactorStore, Vault } from '../store.ts';
import { decodeBase32, encodeBase32 } from './base32.ts';
import { defaultParameters } from './hotp.ts';
import { matchCode } from './match-code.ts';
import { otpPayload } from './otp-factor.ts';
import { otpauthUri, qrSvg } from './otpauth-uri.ts';

const secretBytes = 20;
const lifetimeMs = 1_800_000;

interface OtpDependencies {
  readonly store: FactorStore;
  readonly vault: Vault;
  readonly guesses: GuessLimit;
  readonly now: () => number;
}

/** An enrolment before its first correct code. It travels through the browser, sealed; the store has no trace of it. */
interface Enrolment {
  readonly id: string;
  readonly kind: 'totp' | 'hotp';
  /** In base32. */
  readonly secret: string;
  readonly label: string;
}

const placeOf = (subject: string): readonly string[] => ['otp-enrolment', subject];

export const beginOtp = (
  { vault, now }: Pick<OtpDependencies, 'vault' | 'now'>,
  { subject, kind, issuer, account, label = '' }: Parameters<SecondFactors['beginOtp']>[0],
): Awaited<ReturnType<SecondFactors['beginOtp']>> => {
  const secret = encodeBase32(randomBytes(secretBytes));
  const uri = otpauthUri({ kind, issuer, account, secret, parameters: defaultParameters });
  const enrolment: Enrolment = { id: randomUUID(), kind, secret, label };
  return {
    enrolment: sealExpiring(vault, placeOf(subject), enrolment, now() + lifetimeMs),
    secret,
    uri,
    qrSvg: qrSvg(uri),
  };
};

/** The step or counter of the first code: it becomes the last accepted one, so that this code cannot sign the user in. */
const firstCounter = ({ kind, secret }: Enrolment, code: string, now: number): number | undefined =>
  matchCode(
    {
      kind,
      secret: decodeBase32(secret) ?? Buffer.alloc(0),
      parameters: defaultParameters,
      counter: -1,
      driftSteps: 0,
    },
    code,
    now,
  );

export const confirmOtp = async (
  { store, vault, guesses, now }: OtpDependencies,
  { subject, enrolment: sealed, code }: Parameters<SecondFactors['confirmOtp']>[0],
): Promise<OtpEnrolment> => {
  const time = now();
  const enrolment = openExpiring<Enrolment>(vault, placeOf(subject), sealed, time);
  if (enrolment === undefined) return { outcome: 'expired' };
  // Enrolments are counted separately, because a correct code must not clear the wrong guesses of the user's other factors.
  const guess = await guesses.begin(`factor-enrolment:${subject}`);
  if (guess.limited !== undefined) return guess.limited;
  const counter = firstCounter(enrolment, code, time);
  if (counter === undefined) return { outcome: 'wrong_code' };
  await guess.succeed();
  const { id, kind, secret, label } = enrolment;
  if (!(await store.claim(`enrolment:${id}`, enrolment.expiresAt))) return { outcome: 'expired' };
  const payload = otpPayload(vault, { subject, id }, secret, defaultParameters);
  const factor = newFactor({ id, subject, kind, label, payload, counter }, time);
  if (!(await store.add(factor))) return { outcome: 'expired' };
  return { outcome: 'enrolled', factor: listed(factor), verified: { kind, id } };
};
