import type { Accounts } from '../api/accounts.ts';
import type { Deletions } from '../deletion/deletions.ts';
import type { AccountsEvent } from '../dependencies.ts';
import type { Directories } from '../directory/index.ts';
import { isBarred } from '../sign-in/sign-in-machine.ts';
import type { Users } from '../store/index.ts';
import type { LocalSubjects } from '../users/local-subjects.ts';
import { shownUser } from '../users/shown-user.ts';
import { changePassword, type PasswordChangeDependencies } from './change-password.ts';

/** The users of the accounts database, whose profile can be edited. */
export interface LocalUsers {
  readonly users: Pick<Users, 'show' | 'updateClaims' | 'scheduleDeletion' | 'cancelDeletion' | 'deletionOf'>;
  readonly subjects: LocalSubjects;
  readonly directory: string;
}

export interface AccountDependencies extends PasswordChangeDependencies {
  readonly directories: Directories;
  readonly local: LocalUsers | undefined;
  /** Whether links can be sent to new addresses. */
  readonly hasMail: boolean;
  readonly deletions: Deletions;
  /** Whether users can delete their account. */
  readonly canDelete: boolean;
  readonly emit: (event: AccountsEvent) => Promise<void>;
  /** Milliseconds since 1970. */
  readonly sessionsEndedAt: (subject: string) => Promise<number | undefined>;
}

type AccountOperations = Pick<Accounts['account'], 'show' | 'update' | 'changePassword'>;

/**
 * The claims that users may set themselves (OpenID Connect Core, section 5.1). Applications trust other claims, such as
 * `groups` and `email_verified`: only directories and administrators set them.
 */
const editable: ReadonlySet<string> = new Set([
  ...['name', 'given_name', 'family_name', 'middle_name', 'nickname', 'profile', 'picture', 'website'],
  ...['gender', 'birthdate', 'zoneinfo', 'locale', 'address'],
]);

const idIn = (local: LocalUsers | undefined, subject: string): string | undefined => local?.subjects.idOf(subject);

const createUpdate =
  ({ local, directories }: AccountDependencies): Accounts['account']['update'] =>
  async ({ subject, claims }) => {
    const id = idIn(local, subject);
    if (local === undefined || id === undefined) return { ok: false, error: 'not_supported' };
    const foreign = Object.keys(claims).find((name) => !editable.has(name));
    if (foreign !== undefined)
      return { ok: false, error: 'invalid_claims', message: `The claim ${foreign} is not editable.` };
    const update = await local.users.updateClaims(id, claims);
    if (!update.updated) {
      return update.reason === 'invalid_claims'
        ? { ok: false, error: 'invalid_claims', message: update.message }
        : { ok: false, error: 'not_supported' };
    }
    const user = await local.users.show(id);
    for (const { value: login } of user?.identifiers ?? [])
      await directories.purge({ directory: local.directory, login });
    return { ok: true };
  };

const createPasswordChange =
  (dependencies: AccountDependencies): Accounts['account']['changePassword'] =>
  async (input) => {
    const { directories, emit } = dependencies;
    const { subject, language } = input;
    if (!directories.canChangePassword(subject)) return { ok: false, error: 'not_supported' };
    const change = await changePassword(dependencies, input);
    if (change.changed) {
      await emit({ type: 'password_changed', subject, by: 'change', language });
      return { ok: true };
    }
    if (change.reason === 'weak_password') return { ok: false, error: 'weak_password', message: change.message };
    return { ok: false, error: change.reason === 'limited' ? 'limited' : 'wrong_password' };
  };

/** The account page of a user that the caller has authenticated. */
export const createAccountOperations = (dependencies: AccountDependencies): AccountOperations => ({
  show: async ({ subject }) => {
    const { directories, local, hasMail, deletions, canDelete, sessionsEndedAt } = dependencies;
    const [found, deleteAt, endedAt] = await Promise.all([
      directories.load(subject),
      deletions.of(subject),
      sessionsEndedAt(subject),
    ]);
    const ended = endedAt !== undefined && { sessionsEndedAt: new Date(endedAt) };
    // A user who may not sign in has no account page, and no claims for clients; nor has one who is to be deleted.
    const account = (found && isBarred(found)) || deleteAt !== undefined ? undefined : found;
    const isLocal = account !== undefined && idIn(local, subject) !== undefined;
    const can = {
      changePassword: account !== undefined && directories.canChangePassword(subject),
      editProfile: isLocal,
      changeEmail: isLocal && hasMail,
      deleteAccount: isLocal && canDelete,
    };
    return account === undefined
      ? { claims: {}, ...ended, can }
      : {
          user: shownUser(account),
          claims: account.claims,
          directory: account.directory,
          ...ended,
          ...(account.passwordVersion !== undefined && { passwordVersion: account.passwordVersion }),
          can,
        };
  },
  update: createUpdate(dependencies),
  changePassword: createPasswordChange(dependencies),
});
