import type { AccountsEvent, Logger } from '../dependencies.ts';
import type { Directories } from '../directory/index.ts';
import type { User, Users } from '../store/index.ts';
import type { LocalSubjects } from '../users/local-subjects.ts';

export interface SweepDependencies {
  readonly users: Pick<Users, 'listDue' | 'show' | 'removeDue'>;
  readonly subjects: Pick<LocalSubjects, 'subjectOf'>;
  readonly directories: Pick<Directories, 'purge'>;
  /** Removes sessions, consents and tokens. A user for whom it fails is deleted by a later sweep. */
  readonly onRevoke: (subject: string) => Promise<void>;
  readonly emit: (event: AccountsEvent) => Promise<void>;
  readonly logger: Pick<Logger, 'error'>;
}

/** Deletes the users whose time has come. */
export interface DeletionSweep {
  /** Returns how many users this call has deleted. */
  run(): Promise<number>;
  close(): void;
}

const intervalMs = 5 * 60_000;
const pageSize = 100;

/** A sweep runs every five minutes, in each process: of several, one deletes a user. */
export const startDeletionSweep = (dependencies: SweepDependencies): DeletionSweep => {
  const { users, subjects, directories, onRevoke, emit, logger } = dependencies;

  const remove = async ({ id, identifiers }: User): Promise<boolean> => {
    const subject = subjects.subjectOf(id);
    // First: if this process ends in between, the user is still in the database, and the next sweep repeats it.
    await onRevoke(subject);
    const isRemoved = await users.removeDue(id, subject);
    for (const { value: login } of identifiers) await directories.purge({ login });
    if (isRemoved) await emit({ type: 'deletion', action: 'deleted', subject });
    return isRemoved;
  };

  const removeId = async (id: string): Promise<boolean> => {
    try {
      const user = await users.show(id);
      return user !== undefined && (await remove(user));
    } catch (error) {
      logger.error({ err: error }, 'A user whose time has come was not deleted. The next sweep tries again.');
      return false;
    }
  };

  const run = async (): Promise<number> => {
    let removed = 0;
    for (const id of await users.listDue(pageSize)) if (await removeId(id)) removed += 1;
    return removed;
  };

  const report = (error: unknown) => logger.error({ err: error }, 'Users whose time has come were not deleted.');
  const timer = setInterval(() => void run().catch(report), intervalMs).unref();
  return { run, close: () => clearInterval(timer) };
};
