import type { Accounts, OperationName } from '@carnet/accounts';
import type { Route } from '../http/types.ts';
import { type Operations, strictInput } from './accounts-api.ts';
import { summaries } from './operation-summaries.ts';

/** `sign-in/password` -> `accountsSignInPassword`. */
const operationIdOf = (name: string): string =>
  `accounts${name.replaceAll(/(?:^|[/-])(\w)/g, (_match, letter: string) => letter.toUpperCase())}`;

/** `POST /admin/accounts/<operation>` for each operation of the accounts API. */
export const accountRoutes = (accounts: Accounts, operations: Operations): readonly Route[] =>
  Object.entries(operations).map(([key, { input, output }]): Route => {
    const name = key as OperationName;
    const call = accounts[name] as (sent: unknown) => Promise<object>;
    return {
      method: 'POST',
      path: `/admin/accounts/${name}`,
      ...(name === 'directories/purge' && { audit: 'directory.purge' as const }),
      operationId: operationIdOf(name),
      summary: summaries[name],
      body: { schema: strictInput(input) },
      answers: { 200: output },
      handle: async (request) => ({ status: 200, body: await call(await request.json()) }),
    };
  });
