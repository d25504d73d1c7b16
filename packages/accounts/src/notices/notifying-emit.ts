import type { LocalUsers } from '../account/account-operations.ts';
import { createLoginAttempts } from '../attempts/login-attempts.ts';
import type { AccountsDependencies, AccountsEvent } from '../dependencies.ts';
import type { Directories } from '../directory/index.ts';
import { labelIn } from '../federation/provider.ts';
import type { OpenedDatabase } from '../opening/open-database.ts';
import type { AccountsOptions } from '../options.ts';
import type { AttemptStore } from '../second-factors/index.ts';
import { createNotices, noticeLimits } from './notify-owner.ts';

type Emit = (event: AccountsEvent) => Promise<void>;

export interface NotifyingParts {
  readonly options: Pick<AccountsOptions, 'providers'>;
  readonly dependencies: Pick<AccountsDependencies, 'logger' | 'now'>;
  readonly database: Pick<OpenedDatabase, 'identities' | 'mail'> | undefined;
  readonly directories: Directories;
  readonly local: LocalUsers | undefined;
  readonly attempts: AttemptStore;
  readonly emit: Emit;
}

/** Records an event, and notifies the owner of the account of it. */
export const createNotifyingEmit = (parts: NotifyingParts, canRecover: boolean): Emit => {
  const { options, database, directories, local, dependencies } = parts;
  const { logger, now } = dependencies;
  const limit = createLoginAttempts(parts.attempts, noticeLimits, now, 'notice');
  const [mails, labelOf] = [database?.mail?.mails, labelIn(options.providers)];
  const { identities } = database ?? {};
  const notify = createNotices({ directories, local, identities, labelOf, mails, canRecover, limit, logger });
  return async (event) => {
    await parts.emit(event);
    await notify(event);
  };
};
