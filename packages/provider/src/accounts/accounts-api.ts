import type { Accounts, OperationName } from '@carnet/accounts';
import { z } from 'zod';
import { createRefuse, parseWith } from '../validation.ts';
import { nameFailures } from './failures.ts';
import type { AccountsModule } from './open-accounts.ts';

/** The table of operations of `@carnet/accounts`. */
export type Operations = AccountsModule['operations'];

type Call = (input: unknown) => Promise<unknown>;

const refuse = createRefuse();

/** The input without unknown members: a misspelt optional member would otherwise have no effect. */
export const strictInput = (input: z.ZodType): z.ZodType => (input instanceof z.ZodObject ? input.strict() : input);

/** The operations with their input and output checked, and their failures as CarnetError. */
export const createAccountsApi = (opened: Accounts, operations: Operations): Accounts => {
  const calls = Object.entries(operations).map(([name, { input, output }]): [string, Call] => {
    const body = strictInput(input);
    // A row of the table has one input and one output type, which TypeScript does not follow through a loop.
    const call = opened[name as OperationName] as Call;
    return [
      name,
      async (given) => {
        const parsed = parseWith(body, given, refuse);
        // The schema drops every other member, so that no internal value is answered by mistake.
        return output.parse(await nameFailures(() => call(parsed)));
      },
    ];
  });
  return Object.fromEntries(calls) as unknown as Accounts;
};
