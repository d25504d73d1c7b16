export { createMemoryAttemptStore } from './memory/attempts.ts';
export { createMemoryFactorStore } from './memory/factors.ts';
export type { NextStep, Policy, PolicySettings, SignInContext, VerifiedFactor } from './policy.ts';
export { SecondFactorError, type SecondFactorErrorCode } from './second-factor-error.ts';
export type {
  CodeVerdict,
  Enrolled,
  Limited,
  ListedFactor,
  PasskeyRequest,
  PasskeyVerdict,
  PinHash,
  RelyingParty,
  SecondFactors,
  SecondFactorsDependencies,
} from './second-factors.ts';
export type { AttemptCount, AttemptStore, Factor, FactorKind, FactorStore, Vault } from './store.ts';
