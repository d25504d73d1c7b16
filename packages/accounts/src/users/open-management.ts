import type { GroupOperations } from '../api/groups.ts';
import type { UserOperations } from '../api/users.ts';
import { countOf } from '../attempts/guess-password.ts';
import { createLoginAttempts } from '../attempts/login-attempts.ts';
import type { AccountsDependencies, AccountsEvent } from '../dependencies.ts';
import type { Directories } from '../directory/index.ts';
import { createCodeLimits, forgetCodes } from '../email-sign-in/code-limits.ts';
import { labelIn } from '../federation/provider.ts';
import { createGroupOperations } from '../groups/group-operations.ts';
import { createInvitations } from '../invitations/send-invitation.ts';
import { createAllowedLinks } from '../links/allowed-links.ts';
import type { OpenedDatabase } from '../opening/open-database.ts';
import type { AccountsOptions } from '../options.ts';
import type { AttemptStore, SecondFactors } from '../second-factors/index.ts';
import { createAccess } from './end-access.ts';
import type { LocalSubjects } from './local-subjects.ts';
import { type CredentialOperations, createCredentialOperations } from './user-credentials.ts';
import { createUserOperations, type ManagedUsers, type Remains } from './user-operations.ts';

export interface ManagementParts {
  readonly options: AccountsOptions;
  readonly dependencies: AccountsDependencies;
  readonly database: OpenedDatabase | undefined;
  readonly directories: Directories;
  readonly factors: SecondFactors | undefined;
  readonly attempts: AttemptStore;
  readonly local: { readonly subjects: LocalSubjects; readonly directory: string } | undefined;
  readonly emit: (event: AccountsEvent) => Promise<void>;
  readonly onRevoke: (subject: string) => Promise<void>;
  /** Whether users of the accounts database can set a new password by email. */
  readonly canRecover: boolean;
  /** Records an event, and notifies the user of it. */
  readonly notifyingEmit: (event: AccountsEvent) => Promise<void>;
}

/** The management of users and groups. */
export interface Management {
  /** For administrators. */
  readonly users: UserOperations;
  /** For administrators. */
  readonly groups: GroupOperations;
  /** Continues the revocations of a process that has ended. It also runs every five minutes. */
  resume(): Promise<void>;
  close(): void;
}

const intervalMs = 5 * 60_000;

/** Forgets failed passwords and codes of a user, and the codes that were requested by email, by each login name. */
const createForgetAttempts = ({ options, dependencies, directories, factors, attempts }: ManagementParts) => {
  const counts = createLoginAttempts(attempts, options.attempts, dependencies.now);
  const codes = createCodeLimits(attempts, dependencies.now);
  return async ({ subject, logins }: { readonly subject: string; readonly logins: readonly string[] }) => {
    const realm = (await directories.load(subject))?.realm;
    const typed = realm === undefined ? logins : logins.flatMap((login) => [login, `${realm}\\${login}`]);
    const keys = [countOf.user(subject), ...typed.map((login) => countOf.login(directories.lookupKey(login)))];
    await Promise.all([
      ...keys.map((key) => counts.forget(key)),
      factors?.forgetGuesses(subject),
      forgetCodes(codes, { subject, keys: typed.map((login) => directories.lookupKey(login)) }),
    ]);
  };
};

const createRemains = ({ database, factors }: ManagementParts): Remains => ({
  has: async (subject) => {
    const found = [await database?.identities.list(subject), await factors?.list(subject)];
    return found.some((each) => each !== undefined && each.length > 0);
  },
  remove: async (subject) => {
    await database?.identities.removeAll(subject);
    await factors?.reset(subject);
  },
});

/** The page of the bundled login app for a new password. */
const recoveryPage = '/recovery/password';

const createCredentials = (parts: ManagementParts, local: ManagedUsers | undefined): CredentialOperations => {
  const { options, database, directories, factors, canRecover } = parts;
  const { links, mail, identities } = database ?? {};
  const [origin] = options.linkOrigins;
  const recovery =
    canRecover && links !== undefined && mail !== undefined
      ? {
          ...{ links, mails: mail.mails, allowedLinks: createAllowedLinks(options.linkOrigins) },
          page: origin === undefined ? undefined : new URL(recoveryPage, origin).href,
        }
      : undefined;
  return createCredentialOperations({
    ...{ directories, local, factors, identities, recovery },
    labelOf: labelIn(options.providers),
    emit: parts.notifyingEmit,
  });
};

export const openManagement = (parts: ManagementParts): Management => {
  const { options, dependencies, database, directories, local, emit, onRevoke } = parts;
  const { logger, now, purgeElsewhere = async () => 0 } = dependencies;
  const access = createAccess({
    directories,
    purge: (which) => Promise.all([directories.purge(which), purgeElsewhere(which)]),
    onRevoke,
    store: database?.revocations,
    windowSeconds: options.flowSeconds,
    logger,
    now,
  });
  const report = (error: unknown) =>
    logger.error({ err: error }, 'The revocations of another process were not continued.');
  const timer = setInterval(() => void access.resume().catch(report), intervalMs).unref();
  const opened = database === undefined || local === undefined ? undefined : { ...local, ...database };
  return {
    groups: createGroupOperations({ local: opened, emit }),
    users: createUserOperations({
      local: opened,
      directories,
      access,
      remains: createRemains(parts),
      invitations: createInvitations({
        links: database?.links,
        mails: database?.mail?.mails,
        page: options.invitations.page,
      }),
      forgetAttempts: createForgetAttempts(parts),
      credentials: createCredentials(parts, opened),
      emit,
    }),
    resume: access.resume,
    close: () => {
      clearInterval(timer);
      access.close();
    },
  };
};
