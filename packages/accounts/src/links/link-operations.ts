import type { LocalUsers } from '../account/account-operations.ts';
import type { AccountOperations } from '../api/account.ts';
import type { Settings } from '../api/accounts.ts';
import type { InvitationOperations } from '../api/invitations.ts';
import type { RecoveryOperations, SignUpOperations } from '../api/sign-up.ts';
import { createLoginAttempts } from '../attempts/login-attempts.ts';
import type { AccountsDependencies, AccountsEvent } from '../dependencies.ts';
import type { Directories, PasswordHashing } from '../directory/index.ts';
import { createEmailChange } from '../email/email-operations.ts';
import { createInvitationOperations, withoutInvitations } from '../invitations/accept-invitation.ts';
import type { OpenedDatabase } from '../opening/open-database.ts';
import type { AccountsOptions } from '../options.ts';
import { createRecovery } from '../recovery/recovery-operations.ts';
import type { AttemptStore } from '../second-factors/index.ts';
import { createBeginSignIn } from '../sign-in/begin-sign-in.ts';
import type { ProgressCodec } from '../sign-in/progress.ts';
import { createSignUp } from '../sign-up/sign-up-operations.ts';
import { createAllowedLinks } from './allowed-links.ts';

export interface LinkDependencies {
  readonly options: Pick<AccountsOptions, 'linkOrigins'>;
  readonly dependencies: Pick<AccountsDependencies, 'now'>;
  readonly hashing: PasswordHashing;
  readonly directories: Directories;
  readonly database: Pick<OpenedDatabase, 'identities' | 'links' | 'mail' | 'users'> | undefined;
  readonly attempts: AttemptStore;
  readonly local: LocalUsers | undefined;
  readonly settings: Pick<Settings, 'signUp' | 'passwordRecovery'>;
  readonly emit: (event: AccountsEvent) => Promise<void>;
  readonly codec: ProgressCodec;
}

/** Emails that one hour allows: an attacker cannot fill the mailbox of a user, or send emails to many addresses. */
const mailLimits = { perLogin: 5, perAddress: 50, windowSeconds: 3600 };

/** Checks of new passwords at the sign-up that one hour allows. Pages that send no address share a count. */
const checkLimits = { perLogin: 20, perAddress: 50, withoutAddress: 1_000, windowSeconds: 3600 };

interface LinkOperations {
  readonly signUp: SignUpOperations;
  readonly recovery: RecoveryOperations;
  readonly email: Pick<AccountOperations, 'changeEmail' | 'confirmEmail'>;
  readonly invitation: InvitationOperations;
}

const off: LinkOperations = {
  invitation: withoutInvitations,
  signUp: {
    request: async () => ({ ok: false, error: 'not_supported' }),
    confirm: async () => ({ ok: false, error: 'invalid_token' }),
  },
  recovery: {
    request: async () => ({ ok: false, error: 'not_supported' }),
    inspect: async () => ({ ok: false, error: 'invalid_token' }),
    confirm: async () => ({ ok: false, error: 'invalid_token' }),
  },
  email: {
    changeEmail: async () => ({ ok: false, error: 'not_supported' }),
    confirmEmail: async () => ({ ok: false, error: 'invalid_token' }),
  },
};

/** Sign-up, recovery and new email addresses. An operation that is off answers `not_supported` or `invalid_token`. */
export const createLinkOperations = (parts: LinkDependencies): LinkOperations => {
  const { options, dependencies, hashing, directories, database, local, settings, emit } = parts;
  const mails = database?.mail?.mails;
  if (database === undefined || local === undefined || mails === undefined) return off;
  const { users, identities, links } = database;
  const { subjects } = local;
  const allowedLinks = createAllowedLinks(options.linkOrigins);
  const requests = createLoginAttempts(parts.attempts, mailLimits, dependencies.now, 'mail');
  const ofUsers = createLoginAttempts(parts.attempts, mailLimits, dependencies.now, 'mail-user');
  const checks = createLoginAttempts(parts.attempts, checkLimits, dependencies.now, 'sign-up-check');
  const begin = createBeginSignIn(directories, parts.codec, dependencies.now);
  const common = { users, directories, links, mails, allowedLinks, requests, ofUsers, emit, subjects };
  return {
    signUp: settings.signUp ? createSignUp({ ...common, begin, checks, hashing }) : off.signUp,
    recovery: settings.passwordRecovery ? createRecovery(common) : off.recovery,
    email: createEmailChange(common),
    invitation: createInvitationOperations({ ...common, identities }),
  };
};
