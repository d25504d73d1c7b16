import {
  createMemoryAttemptStore,
  createMemoryFactorStore,
  createSecondFactors,
  decodeBase32,
  hotp,
  type SecondFactorsDependencies,
  saltedSha256,
} from '../../src/second-factors/index.ts';
import { createTestVault } from '../test-vault.ts';
import { totpCode } from '../totp-code.ts';

export const subject = 'people.42';

/** Second factors on stores in memory, with a clock that a test sets. */
export const openTestFactors = (members: Partial<SecondFactorsDependencies> = {}) => {
  const clock = { now: 1_790_000_000_000 };
  const now = () => clock.now;
  const deps: SecondFactorsDependencies = {
    store: createMemoryFactorStore(now),
    attempts: createMemoryAttemptStore(now),
    vault: createTestVault('current'),
    hash: saltedSha256,
    policy: { default: 'optional', kinds: ['totp', 'hotp', 'recovery_code', 'passkey'] },
    rp: { id: 'example.com', name: 'Example', origins: ['https://login.example.com'] },
    now,
    ...members,
  };
  return { deps, clock, factors: createSecondFactors(deps) };
};

/** The code of a secret in base32 at a counter. */
export const hotpCode = (secret: string, counter: number): string =>
  hotp(decodeBase32(secret) ?? Buffer.alloc(0), counter);

/** Second factors as of `openTestFactors`, with a TOTP or HOTP factor of the user. */
export const openWithOtp = async (kind: 'totp' | 'hotp' = 'totp', members: Partial<SecondFactorsDependencies> = {}) => {
  const opened = openTestFactors(members);
  return { ...opened, ...(await enrolOtp(opened, kind)) };
};

/** Enrols a TOTP or HOTP factor with its first code, and lets a minute pass. */
export const enrolOtp = async (
  { factors, clock }: Pick<ReturnType<typeof openTestFactors>, 'factors' | 'clock'>,
  kind: 'totp' | 'hotp' = 'totp',
): Promise<{ id: string; secret: string }> => {
  const { enrolment, secret } = await factors.beginOtp({ subject, kind, issuer: 'Example', account: 'ada' });
  const code = kind === 'totp' ? totpCode(secret, clock.now) : hotpCode(secret, 0);
  const enrolled = await factors.confirmOtp({ subject, enrolment, code });
  if (enrolled.outcome !== 'enrolled') throw new Error(`the enrolment is ${enrolled.outcome}`);
  clock.now += 60_000;
  return { id: enrolled.factor.id, secret };
};
