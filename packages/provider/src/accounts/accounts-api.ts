import type { Accounts } from '@carnet/accounts';
import { createRefuse, exactObject, parseWith } from '../validation.ts';
import { nameFailures } from './failures.ts';
import type { AccountsModule } from './open-accounts.ts';

const refuse = createRefuse();

/** The operations for the app: their input is checked, and their failures are CarnetError. */
export const createAccountsApi = (
  opened: Accounts,
  { createAccountsOf, callOf }: Pick<AccountsModule, 'createAccountsOf' | 'callOf'>,
): Accounts =>
  createAccountsOf(({ name, input }) => {
    const schema = exactObject(input.shape);
    const call = callOf(opened, name);
    return async (given = {}) => {
      const parsed = parseWith(schema, given, refuse);
      return nameFailures(() => call(parsed));
    };
  });
