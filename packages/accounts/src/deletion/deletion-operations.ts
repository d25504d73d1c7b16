import type { LocalUsers } from '../account/account-operations.ts';
import type { AccountOperations } from '../api/account.ts';
import type { SignInOperations } from '../api/sign-in.ts';
import type { AccountsEvent } from '../dependencies.ts';
import type { AccountsOptions } from '../options.ts';
import type { SignInMachine } from '../sign-in/sign-in-machine.ts';

export interface DeletionDependencies {
  readonly options: AccountsOptions['deletion'];
  readonly local: LocalUsers | undefined;
  readonly machine: Pick<SignInMachine, 'resume' | 'advance'>;
  /** Removes sessions, consents and tokens. @throws if it fails */
  readonly onRevoke: (subject: string) => Promise<void>;
  readonly emit: (event: AccountsEvent) => Promise<void>;
  readonly now: () => number;
}

type DeletionOperations = Pick<AccountOperations, 'delete'> & Pick<SignInOperations, 'keepAccount'>;

const createDelete =
  ({ options, local, onRevoke, emit, now }: DeletionDependencies): AccountOperations['delete'] =>
  async ({ subject, language }) => {
    const id = local?.subjects.idOf(subject);
    if (!options.enabled || local === undefined || id === undefined) return { ok: false, error: 'not_supported' };
    if ((await local.users.show(id)) === undefined) return { ok: false, error: 'not_supported' };
    // First: if the sessions cannot be ended, the user gets an error, and nothing has changed.
    await onRevoke(subject);
    const deleteAt = await local.users.scheduleDeletion(id, now() + options.graceSeconds * 1000);
    if (deleteAt === undefined) return { ok: false, error: 'not_supported' };
    await emit({ type: 'deletion', action: 'requested', subject, deleteAt, language });
    return { ok: true, deleteAt: new Date(deleteAt) };
  };

const createKeep =
  ({ local, machine, emit }: DeletionDependencies): SignInOperations['keepAccount'] =>
  async ({ progress, language: _language, ...circumstances }) => {
    const current = await machine.resume(progress, circumstances.binding);
    if (current === undefined) return { state: 'expired' };
    const state = await machine.advance(current, circumstances);
    const { subject } = current.account;
    const id = local?.subjects.idOf(subject);
    // Only after every other step of the sign-in: the password alone must not keep the account of a user with a factor.
    if (state.state !== 'deletion' || local === undefined || id === undefined) return state;
    if (!(await local.users.cancelDeletion(id))) return { state: 'refused' };
    await emit({ type: 'deletion', action: 'cancelled', subject });
    return machine.advance(current, circumstances);
  };

/** Deleting an account after a grace period, in which a sign-in can keep it. */
export const createDeletionOperations = (dependencies: DeletionDependencies): DeletionOperations => ({
  delete: createDelete(dependencies),
  keepAccount: createKeep(dependencies),
});
