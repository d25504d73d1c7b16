export { createSecondFactors } from './create-second-factors.ts';
export { createMemoryAttemptStore } from './memory/attempts.ts';
export { createMemoryFactorStore } from './memory/factors.ts';
export { decodeBase32 } from './otp/base32.ts';
export { hotp, type OtpAlgorithm, type OtpParameters, stepAt } from './otp/hotp.ts';
export { saltedSha256 } from './pin/salted-sha256.ts';
export { type Acr, acrValues } from './policy/acr.ts';
export { settingsProblems, supportedAcrValues } from './policy/problems.ts';
export type { NextStep, Policy, PolicySettings, SignInContext, VerifiedFactor } from './policy/settings.ts';
export { SecondFactorError, type SecondFactorErrorCode } from './second-factor-error.ts';
export type {
  CodeVerdict,
  Enrolled,
  Limited,
  ListedFactor,
  OtpEnrolment,
  PasskeyEnrolment,
  PasskeyRequest,
  PasskeyVerdict,
  PinHash,
  RelyingParty,
  Resynchronisation,
  SecondFactors,
  SecondFactorsDependencies,
} from './second-factors.ts';
export type { AttemptCount, AttemptStore, Factor, FactorKind, FactorStore, Vault } from './store.ts';
