import { createAccountOperations, type LocalUsers } from './account/account-operations.ts';
import { notSupported } from './accounts-error.ts';
import type { Accounts, Settings } from './api/accounts.ts';
import type { GuessCounts } from './attempts/guess-password.ts';
import { createLoginAttempts } from './attempts/login-attempts.ts';
import { auditOf } from './audit.ts';
import { createDeletionOperations } from './deletion/deletion-operations.ts';
import { type DeletionSweep, startDeletionSweep } from './deletion/deletion-sweep.ts';
import { createDeletions, type Deletions } from './deletion/deletions.ts';
import type { AccountsDependencies, AccountsEvent } from './dependencies.ts';
import { createDeviceTokens, deviceLifetimeSeconds } from './devices/device-tokens.ts';
import { createPasswordHashing, type Directories, type PasswordHashing } from './directory/index.ts';
import { createDirectoryOperations } from './directory-operations.ts';
import { openEmailSignIn } from './email-sign-in/open-email-sign-in.ts';
import { createFactorOperations } from './factors/factor-operations.ts';
import { createFactorOwners } from './factors/factor-owner.ts';
import { createIsForClient } from './federation/fixed-client.ts';
import { createIdentityLinks, type IdentityLinks } from './federation/identity-links.ts';
import type { ConfiguredProvider } from './federation/provider.ts';
import { createProviderOperations } from './federation/provider-operations.ts';
import { createLinkOperations } from './links/link-operations.ts';
import { noticeLimits } from './notices/notify-owner.ts';
import { createNotifyingEmit } from './notices/notifying-emit.ts';
import { createDemoUser } from './opening/demo-user.ts';
import { attemptStoreOf, type OpenedDatabase, openDatabase } from './opening/open-database.ts';
import { openDirectories } from './opening/open-directories.ts';
import { openFactors } from './opening/open-factors.ts';
import { openProviders } from './opening/open-providers.ts';
import { type AccountsOptions, sufficientAcrsOf } from './options.ts';
import { createDirectoriesOf } from './organizations/choose-organization.ts';
import { createOrganizations } from './organizations/open-organizations.ts';
import type { AttemptStore, SecondFactors } from './second-factors/index.ts';
import { createIdentify, settingsOf } from './settings.ts';
import { createFactorSteps } from './sign-in/factor-steps.ts';
import { createNewPasswordStep } from './sign-in/new-password-step.ts';
import { createPasswordStep } from './sign-in/password-step.ts';
import { createProgressCodec } from './sign-in/progress.ts';
import { createSendCodeStep } from './sign-in/send-code-step.ts';
import { createSignInMachine } from './sign-in/sign-in-machine.ts';
import { createWaitAfterEnd } from './sign-in/wait-after-end.ts';
import { createLocalSubjects } from './users/local-subjects.ts';
import { type Management, openManagement } from './users/open-management.ts';
import { openValidateCheck } from './validate-check/open-validate-check.ts';
import type { ValidateCheck } from './validate-check/validate-check.ts';

/** The accounts API in process. It trusts its input: the caller checks input from outside with the schemas of `operations`. */
export interface OpenedAccounts extends Accounts, Pick<Management, 'users' | 'groups'> {
  /** Whether the accounts database answers, for the readiness of the server. @throws DirectoryError `unavailable` */
  check(): Promise<void>;
  /** Whether the mail server answers. Resolves without one. @throws MailError */
  checkMail(): Promise<void>;
  /** The directories, for administrators: the results name the reason of a refusal. */
  readonly userDirectories: Directories;
  /**
   * The classes (`acr`) of a remembered login that are sufficient for the clients with a policy of their own. A client that
   * is absent accepts each login: every login has fulfilled the policy of its realm.
   */
  readonly sufficientAcrs: ReadonlyMap<string, readonly string[]>;
  /** `POST /validate/check` for plug-ins of privacyIDEA; undefined if it is off. Outages are thrown. */
  readonly validateCheck: ValidateCheck | undefined;
  /** Deletes the users whose time has come, and continues the revocations of a process that has ended. It also runs every five minutes. Returns how many this process has deleted. */
  sweep(): Promise<number>;
  close(): Promise<void>;
}

/** The opened parts that the operations are made of. */
interface Parts {
  readonly options: AccountsOptions;
  readonly dependencies: AccountsDependencies;
  readonly hashing: PasswordHashing;
  readonly database: OpenedDatabase | undefined;
  readonly directories: Directories;
  readonly providers: readonly ConfiguredProvider[];
  readonly factors: SecondFactors | undefined;
  readonly attempts: AttemptStore;
  readonly local: LocalUsers | undefined;
  readonly deletions: Deletions;
  readonly emit: (event: AccountsEvent) => Promise<void>;
  /** Unlike `emit`, it fails if the observer fails: the deletion then stops. */
  readonly onRevoke: (subject: string) => Promise<void>;
}

const localUsersOf = ({ options, database }: Pick<Parts, 'options' | 'database'>): LocalUsers | undefined => {
  const directory = options.directories.find(({ kind }) => kind === 'sql');
  if (database === undefined || directory === undefined) return undefined;
  const subjects = createLocalSubjects(directory.subjectPrefix);
  return { users: database.users, subjects, directory: directory.name };
};

type Emit = Parts['emit'];

/** Undefined without providers. */
const identityLinksOf = ({ database, providers, dependencies }: Parts, emit: Emit): IdentityLinks | undefined =>
  database === undefined || providers.length === 0
    ? undefined
    : createIdentityLinks({ ...dependencies, identities: database.identities, emit });

const composeOperations = (parts: Parts, settings: Settings, emit: Emit): Accounts => {
  const { options, dependencies, database, directories, factors, local, deletions, onRevoke } = parts;
  const { logger, now, vault, sessionsEndedAt = async () => undefined } = dependencies;
  const identityLinks = identityLinksOf(parts, emit);
  const codec = createProgressCodec({ vault, now });
  const tokens = createDeviceTokens({ vault, issuer: options.issuer, now });
  const organizations = createOrganizations({ ...parts, identities: database?.identities, links: identityLinks });
  const waitAfterEnd = createWaitAfterEnd({ sessionsEndedAt, now });
  const machine = createSignInMachine({
    ...{ directories, factors, codec, deletions, waitAfterEnd, now },
    devices: tokens,
    links: identityLinks,
    identities: database?.identities,
    organizationOf: organizations.organizationOf,
    isForClient: createIsForClient({ providers: options.providers, links: identityLinks, logger }),
  });
  const ofDevices = { ...options.attempts, windowSeconds: deviceLifetimeSeconds };
  const ofCodes = createLoginAttempts(parts.attempts, noticeLimits, now, 'mail-code');
  const counts: GuessCounts = {
    attempts: createLoginAttempts(parts.attempts, options.attempts, now),
    devices: { tokens, attempts: createLoginAttempts(parts.attempts, ofDevices, now, 'device') },
  };
  const requireFactors = (): SecondFactors => {
    if (factors === undefined) throw notSupported('The second factor', 'Set accounts.database.');
    return factors;
  };
  const listFactors: SecondFactors['list'] = async (subject) => factors?.list(subject) ?? [];
  const [hasMail, canDelete] = [database?.mail !== undefined, options.deletion.enabled];
  const directoriesOf = createDirectoriesOf(options);
  const owners = createFactorOwners({ directories, machine });
  const account = { directories, counts, local, deletions, hasMail, canDelete, emit, sessionsEndedAt };
  const deletion = createDeletionOperations({ options: options.deletion, local, machine, onRevoke, emit, now });
  const links = createLinkOperations({ ...parts, emit, settings, codec });
  return {
    settings: async () => settings,
    signIn: {
      identify: createIdentify(settings, directories),
      password: createPasswordStep({ directories, directoriesOf, counts, machine, emit, logger, now }),
      ...openEmailSignIn({ ...parts, settings, devices: tokens, machine, emit }),
      ...createFactorSteps({ directories, factors: requireFactors, machine, codeLimit: ofCodes, emit, logger, now }),
      sendCode: createSendCodeStep({ machine, mails: database?.mail?.mails, limit: ofCodes, emit, now }),
      newPassword: createNewPasswordStep({ directories, counts, machine, emit }),
      keepAccount: deletion.keepAccount,
    },
    providers: createProviderOperations({ ...parts, settings, listFactors, links: identityLinks, machine, emit }),
    organizations: organizations.operations,
    signUp: links.signUp,
    recovery: links.recovery,
    invitation: links.invitation,
    account: { ...createAccountOperations(account), ...links.email, delete: deletion.delete },
    factors: createFactorOperations({ factors: requireFactors, listFactors, owners, codec, emit, logger }),
    directories: createDirectoryOperations(directories),
  };
};

/** The failure of an observer must not change the answer that the user gets. */
const createEmit =
  ({ audit, onEvent, logger }: AccountsDependencies) =>
  async (event: AccountsEvent): Promise<void> => {
    try {
      const record = auditOf(event);
      if (record !== undefined) audit?.(record);
      await onEvent?.(event);
    } catch (error) {
      logger.error({ error, event: event.type }, 'An event of the accounts could not be recorded.');
    }
  };

const openParts = async (options: AccountsOptions, dependencies: AccountsDependencies): Promise<Parts> => {
  // Every attempt that the limit allows may wait for its turn, with two login names of one user: a refusal would reveal that
  // both belong to one user.
  const maxWaitingPerOwner = Math.max(8, 2 * options.attempts.perLogin);
  const hashing = createPasswordHashing({ ...dependencies.hashCost, maxWaitingPerOwner });
  const emit = createEmit(dependencies);
  const { onEvent } = dependencies;
  const onRevoke = async (subject: string) => onEvent?.({ type: 'deletion', action: 'revoke', subject });
  const database = await openDatabase({ options, dependencies, hashing });
  try {
    if (options.demoUser === true && database !== undefined) await createDemoUser(database.users);
    const directories = await openDirectories({ ...dependencies, options, hashing, database, emit });
    const providers = await openProviders(options, dependencies, database);
    const factors = openFactors(options, dependencies, hashing, database);
    const attempts = attemptStoreOf(database, dependencies.now);
    const local = localUsersOf({ options, database });
    const deletions = createDeletions(local);
    const opened = { hashing, database, directories, providers, factors, attempts };
    return { options, dependencies, ...opened, local, deletions, emit, onRevoke };
  } catch (error) {
    await database?.close();
    throw error;
  }
};

/** Undefined without users in the accounts database. */
const startSweep = ({
  database,
  local,
  directories,
  dependencies,
  emit,
  onRevoke,
}: Parts): DeletionSweep | undefined => {
  if (database === undefined || local === undefined) return undefined;
  const { logger } = dependencies;
  return startDeletionSweep({ users: database.users, subjects: local.subjects, directories, onRevoke, emit, logger });
};

/**
 * Opens directories, second factors, sign-up and recovery as one API.
 *
 * @throws AccountsError `not_supported` if an option needs another one
 * @throws DirectoryError `unavailable` if the accounts database does not answer; `invalid_configuration` with every problem of
 * the directories
 */
export const openAccounts = async (
  options: AccountsOptions,
  dependencies: AccountsDependencies,
): Promise<OpenedAccounts> => {
  const parts = await openParts(options, dependencies);
  const sweep = startSweep(parts);
  const settings = settingsOf(options, parts.database);
  const canRecover = settings.passwordRecovery;
  const emit = createNotifyingEmit(parts, canRecover);
  const management = openManagement({ ...parts, canRecover, notifyingEmit: emit });
  return {
    ...composeOperations(parts, settings, emit),
    users: management.users,
    groups: management.groups,
    userDirectories: parts.directories,
    sufficientAcrs: sufficientAcrsOf(options, options.secondFactors.clients),
    validateCheck: openValidateCheck(parts),
    check: async () => parts.database?.ping(),
    checkMail: async () => parts.database?.mail?.check(),
    sweep: async () => {
      await management.resume();
      return sweep?.run() ?? 0;
    },
    close: async () => {
      sweep?.close();
      management.close();
      await parts.directories.close();
      await parts.database?.close();
    },
  };
};
