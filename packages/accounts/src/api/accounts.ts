import type { Policy } from '../second-factors/policy/settings.ts';
import type { AccountOperations } from './account.ts';
import type { DirectoryOperations } from './directories.ts';
import type { FactorOperations } from './factors.ts';
import type { InvitationOperations } from './invitations.ts';
import type { OrganizationOperations } from './organizations.ts';
import type { ProviderOperations } from './providers.ts';
import type { FactorKind, SignInOperations } from './sign-in.ts';
import type { RecoveryOperations, SignUpOperations } from './sign-up.ts';

/** The features that are on: pages show links for these only. */
export interface Settings {
  readonly signUp: boolean;
  readonly passwordRecovery: boolean;
  readonly passkeys: boolean;
  /** Whether users can sign in with a code by email instead of the password. */
  readonly emailSignIn: boolean;
  /** Whether the page requests the login name first, because a realm or the domain of a provider decides what follows. */
  readonly identifierFirst: boolean;
  /** Whether there are organizations: pages then pass the parameter `organization` of the request. */
  readonly organizations: boolean;
  /** Whether users exist at providers only: there are no directories. The claims of a sign-in are not stored. */
  readonly providersOnly: boolean;
  /** In characters. */
  readonly minimumPasswordLength: number;
  /** The names of the claims of each scope (`accounts.scopes`), besides the standard scopes. */
  readonly scopes: Readonly<Record<string, readonly string[]>>;
  readonly secondFactor: Policy;
  /** The kinds of factors that are offered. Users enrol them, except `email`, which needs no enrolment, and `pin`. */
  readonly factorKinds: readonly FactorKind[];
  /** The classes (`acr`) that sign-ins can reach, weakest first. */
  readonly acrValues: readonly string[];
}

/**
 * Signs users in, and manages their accounts. The functions are the same in process (`carnet.accounts`) and over HTTP
 * (`createAccountsClient`). Times are `Date` objects, and durations whole seconds.
 *
 * A mistake of the user is in the result (`state`, or `ok` and `error`). A failure is thrown, with a `code`: by `carnet.accounts` as
 * CarnetError, by the client as AccountsError.
 *
 * | CarnetError | AccountsError | when |
 * | --- | --- | --- |
 * | `accounts_unavailable` | `unavailable` | a directory, the accounts database or the admin API does not answer |
 * | `not_supported` | `not_supported` | the feature is off |
 * | `invalid_request` | `invalid_input` | a member is missing, unknown or not valid: `field` names it |
 *
 * @example
 * const signIn = await carnet.accounts?.signIn.password({ login, password, binding: loginChallenge });
 * if (signIn?.state === 'done') {
 *   const { subject, acr, amr, authTime } = signIn;
 *   await carnet.requests.login.accept(loginChallenge, { subject, acr, amr, authTime });
 * }
 */
export interface Accounts {
  /** The features that are on. */
  settings(): Promise<Settings>;
  /** The steps of a sign-in. */
  readonly signIn: SignInOperations;
  /** Sign-in with other providers, and the identities that are linked to a user. */
  readonly providers: ProviderOperations;
  /** The organizations to which users belong. */
  readonly organizations: OrganizationOperations;
  /** Creating an account by email. */
  readonly signUp: SignUpOperations;
  /** Setting a new password by email. */
  readonly recovery: RecoveryOperations;
  /** Choosing the first password with the link of an invitation. */
  readonly invitation: InvitationOperations;
  /** The account page of a user. */
  readonly account: AccountOperations;
  /** The second factors of a user. */
  readonly factors: FactorOperations;
  /** Health and cache of the directories, for administrators. */
  readonly directories: DirectoryOperations;
}
