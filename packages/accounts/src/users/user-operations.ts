import { AccountsError } from '../accounts-error.ts';
import type { ManagedUser, UserChange, UserCreation, UserOperations } from '../api/users.ts';
import type { AccountsEvent } from '../dependencies.ts';
import type { Directories } from '../directory/index.ts';
import type { Invitations } from '../invitations/send-invitation.ts';
import type { User, Users } from '../store/index.ts';
import type { Access } from './end-access.ts';
import type { LocalSubjects } from './local-subjects.ts';
import { directoryUser, localUser } from './managed-user.ts';
import { idInToken, pageToken } from './page-token.ts';
import { createRecorded } from './recorded.ts';
import { creationError, noLocalUsers, noSuchUser, readOnly, updateError } from './refusals.ts';
import type { CredentialOperations } from './user-credentials.ts';
import { versionOf } from './version.ts';

/** The users of the accounts database. */
export interface ManagedUsers {
  readonly users: Pick<Users, 'show' | 'list' | 'create' | 'update' | 'remove'>;
  readonly subjects: LocalSubjects;
  readonly directory: string;
}

export interface Remains {
  has(subject: string): Promise<boolean>;
  remove(subject: string): Promise<void>;
}

export interface UserDependencies {
  readonly local: ManagedUsers | undefined;
  readonly directories: Pick<Directories, 'find' | 'load'>;
  readonly access: Pick<Access, 'end'>;
  /** The factors and identities of users whom no directory has any more. */
  readonly remains: Remains;
  readonly invitations: Invitations;
  /** Forgets the failed attempts of a user. */
  readonly forgetAttempts: (user: { readonly subject: string; readonly logins: readonly string[] }) => Promise<void>;
  readonly emit: (event: AccountsEvent) => Promise<void>;
  readonly credentials: CredentialOperations;
}

const defaultLimit = 100;

const shown = ({ subjects, directory }: ManagedUsers, user: User): ManagedUser =>
  localUser(user, subjects.subjectOf(user.id), directory);

const createReads = ({ local, directories }: UserDependencies): Pick<UserOperations, 'list' | 'get'> => {
  const get: UserOperations['get'] = async ({ subject }) => {
    const id = local?.subjects.idOf(subject);
    const user = id === undefined ? undefined : await local?.users.show(id);
    if (user !== undefined && local !== undefined) return shown(local, user);
    const account = await directories.load(subject);
    if (account === undefined) throw noSuchUser();
    return directoryUser(account);
  };

  const ofLogin = async (login: string): Promise<readonly ManagedUser[]> => {
    const account = await directories.find(login);
    if (account === undefined) return [];
    return account.directory === local?.directory ? [await get(account)] : [directoryUser(account)];
  };

  return {
    get,
    async list({ login, limit = defaultLimit, after, offset = 0, withTotal = false, ...given } = {}) {
      if (login !== undefined) {
        const found = await ofLogin(login);
        return { users: found.filter(({ state }) => given.state === undefined || given.state === state) };
      }
      if (local === undefined) throw noLocalUsers();
      const { search, state, externalId } = given;
      const filters = {
        ...(search !== undefined && { search }),
        ...(state !== undefined && { state }),
        ...(externalId !== undefined && { externalId }),
      };
      const id = after === undefined ? undefined : idInToken(after, filters);
      const page = await local.users.list({
        ...{ ...filters, limit, offset, withTotal },
        ...(id !== undefined && { after: id }),
      });
      const next = page.next === undefined ? undefined : pageToken(page.next, filters);
      return {
        users: page.users.map((user) => shown(local, user)),
        ...(next !== undefined && { next }),
        total: page.total,
      };
    },
  };
};

type Subject = Pick<UserChange, 'subject'>;

interface Located {
  readonly local: ManagedUsers;
  readonly id: string;
}

/** The user in the accounts database. @throws AccountsError `not_found`, or `not_supported` for a user of another directory */
const createLocate =
  ({ local, directories }: UserDependencies) =>
  async (subject: string): Promise<Located> => {
    const id = local?.subjects.idOf(subject);
    if (local !== undefined && id !== undefined) return { local, id };
    const account = await directories.load(subject);
    throw account === undefined ? noSuchUser() : readOnly(account.directory);
  };

const createCreate =
  ({ local, invitations }: Pick<UserDependencies, 'local' | 'invitations'>) =>
  async ({ invite = false, ...user }: UserCreation): Promise<ManagedUser> => {
    if (local === undefined) throw noLocalUsers();
    if (user.email === undefined && user.username === undefined)
      throw new AccountsError('invalid_input', "Field 'email' or 'username' is required.", { field: 'email' });
    const { email, state = 'active', password, passwordHash } = user;
    const passwordVersion = password === undefined && passwordHash === undefined ? 0 : 1;
    if (invite) invitations.assertPossible({ email, state, passwordVersion });
    const creation = await local.users.create(user);
    if (!creation.created) throw creationError(creation, user.email !== undefined);
    return shown(local, creation.user);
  };

const createChanges = (dependencies: UserDependencies, { get }: Pick<UserOperations, 'get'>) => {
  const { local, directories, access, remains, invitations, forgetAttempts } = dependencies;
  /** Whether a user of another directory was removed there, and has left factors or identities here. */
  const isRemovedElsewhere = async (subject: string): Promise<boolean> =>
    local?.subjects.idOf(subject) === undefined &&
    (await directories.load(subject)) === undefined &&
    (await remains.has(subject));
  const locate = createLocate(dependencies);

  const change = async ({ subject, ifVersion, ...members }: UserChange): Promise<Located> => {
    const version = versionOf(ifVersion);
    const located = await locate(subject);
    const result = await located.local.users.update({ id: located.id, version, ...members });
    if (!result.updated) throw updateError(result);
    return located;
  };
  const update: UserOperations['update'] = async (input) => {
    const { local: users } = await change(input);
    // After the state: no sign-in is done between both.
    if (input.state !== undefined && input.state !== 'active') await access.end(input.subject, users.directory);
    return get(input);
  };

  return {
    create: createCreate(dependencies),
    async invite({ subject }: Subject) {
      const { local: managed, id } = await locate(subject);
      const user = await managed.users.show(id);
      if (user === undefined) throw noSuchUser();
      await invitations.send(user);
      return shown(managed, user);
    },
    update,
    disable: ({ subject }: Subject) => update({ subject, state: 'disabled' }),
    async delete({ subject, ifVersion }: Pick<UserChange, 'subject' | 'ifVersion'>) {
      if (await isRemovedElsewhere(subject)) {
        await access.end(subject, undefined);
        await remains.remove(subject);
        return;
      }
      // Disabled first: if the sessions cannot be ended, the user still exists, and the call can be repeated.
      const { local: users, id } = await change({ subject, ifVersion, state: 'disabled' });
      await access.end(subject, users.directory);
      await users.users.remove(id, subject);
    },
    async endSessions({ subject }: Subject) {
      // A user who was removed from a directory has sessions as well, and they end in an outage of the directory, too.
      const account = await directories.load(subject).catch(() => undefined);
      await access.end(subject, account?.directory);
    },
    async unlock({ subject }: Subject) {
      const user = await get({ subject });
      await forgetAttempts(user);
      const isLocked = user.state === 'locked' && user.version !== undefined;
      return isLocked ? update({ subject, ifVersion: user.version, state: 'active' }) : user;
    },
  } satisfies Omit<UserOperations, 'list' | 'get' | keyof CredentialOperations>;
};

type UserEvent = Extract<AccountsEvent, { readonly type: 'user' }>;

/** The management of users. Each change, and each refusal of one, is an event. */
export const createUserOperations = (dependencies: UserDependencies): UserOperations => {
  const { emit, credentials } = dependencies;
  const reads = createReads(dependencies);
  const changes = createChanges(dependencies, reads);

  const recorded = createRecorded(emit);
  const as =
    (action: UserEvent['action']) =>
    ({ subject }: Subject): UserEvent => ({ type: 'user', action, subject });

  const create = recorded(changes.create, (_input, user) => ({
    type: 'user',
    action: 'create',
    subject: user?.subject,
  }));
  const invite = recorded(changes.invite, as('invite'));
  return {
    ...reads,
    // If the invitation fails, the user exists: `invite` can be called again.
    create: async (input) => {
      const user = await create(input);
      return input.invite ? invite(user) : user;
    },
    invite,
    update: recorded(changes.update, ({ subject, state }) => ({
      ...{ type: 'user', subject },
      action: state === 'disabled' ? 'disable' : 'update',
    })),
    disable: recorded(changes.disable, as('disable')),
    delete: recorded(changes.delete, as('delete')),
    endSessions: recorded(changes.endSessions, as('end_sessions')),
    unlock: recorded(changes.unlock, as('unlock')),
    ...credentials,
  };
};
