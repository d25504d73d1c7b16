/** The types of the accounts API, in process and over HTTP. */
export type { Account, AccountOperations, EmailChange, PasswordChange } from './api/account.ts';
export type { Accounts, Settings } from './api/accounts.ts';
export type { CheckedDirectory, CheckedStep, DirectoryOperations } from './api/directories.ts';
export type { FactorOperations, FactorOwner, PasskeyEnrolment, ShownFactor } from './api/factors.ts';
export type { Outcome, Refused } from './api/outcome.ts';
export type {
  Circumstances,
  FactorKind,
  FactorSignIn,
  NewPasswordSignIn,
  PasskeySignIn,
  PasswordSignIn,
  ShownUser,
  SignedIn,
  SignIn,
  SignInOperations,
  SignInStep,
  WebAuthnJson,
} from './api/sign-in.ts';
export type {
  LinkRequest,
  RecoveryOperations,
  SignUpConfirmation,
  SignUpOperations,
  SignUpRequest,
} from './api/sign-up.ts';
