import type { Accounts, ManagementOperations } from '@carnet/accounts';
import type { z } from 'zod';
import type { Route } from '../http/types.ts';
import { exactObject, parseWith } from '../validation.ts';
import { nameFailures } from './failures.ts';
import type { AccountsModule } from './open-accounts.ts';

/** `sign-in/password` -> `accountsSignInPassword`. */
const operationIdOf = (path: string): string =>
  `accounts${path.replaceAll(/(?:^|[/-])(\w)/g, (_match, letter: string) => letter.toUpperCase())}`;

/**
 * `POST /admin/accounts/<path>` for each operation of the accounts API. The body is validated by the names over HTTP, and the
 * functions of `opened` get the members by their names in process.
 */
export const accountRoutes = (
  opened: Accounts,
  { operations, callOf, wireSchema, fromWire, toWire }: AccountsModule,
): readonly Route[] =>
  operations.map(({ name, path, summary, input, output }): Route => {
    // Strict: a misspelt optional member would otherwise have no effect.
    const body = wireSchema(input).strict();
    const call = callOf(opened, name);
    return {
      method: 'POST',
      path: `/admin/accounts/${path}`,
      ...(name === 'directories.purge' && { audit: 'directory.purge' as const }),
      operationId: operationIdOf(path),
      summary,
      body: { schema: body },
      answers: { 200: wireSchema(output) },
      handle: async (request) => {
        const given = fromWire(input, parseWith(body, await request.json()));
        return { status: 200, body: toWire(output, await nameFailures(() => call(given))) as object };
      },
    };
  });

type Call = (input: unknown) => Promise<unknown>;

/** A function whose input is checked, and whose failures are CarnetError. */
const checked = (input: z.ZodObject, call: Call) => {
  const schema = exactObject(input.shape);
  return async (given: unknown = {}) => {
    const parsed = parseWith(schema, given);
    return nameFailures(() => call(parsed));
  };
};

/** The operations for the app. */
export const createAccountsApi = (opened: Accounts, { createAccountsOf, callOf }: AccountsModule): Accounts =>
  createAccountsOf(({ name, input }) => checked(input, callOf(opened, name)));

/** The management of users and groups, for the app and for the routes. */
export const createManagementApi = (opened: ManagementOperations, { wrapManagement }: AccountsModule) =>
  wrapManagement(opened, checked);

/** The routes of the admin API at `/admin/users` and `/admin/groups`. */
export const managementRoutes = (
  { users, groups }: ManagementOperations,
  { createUserRoutes, createGroupRoutes }: AccountsModule,
): readonly Route[] => [...createUserRoutes(users, parseWith), ...createGroupRoutes(groups, parseWith)];
