import { z } from 'zod';
import type { Accounts } from '../api/accounts.ts';
import { accountOperations } from './account.ts';
import { factorOperations } from './factors.ts';
import type { Operation, OperationsOf } from './operation.ts';
import { organizationOperations } from './organizations.ts';
import { factorKind, loginName, none, policy } from './parts.ts';
import { providerOperations } from './providers.ts';
import { signInOperations } from './sign-in.ts';
import { invitationOperations, recoveryOperations, signUpOperations } from './sign-up.ts';
import { pathOf } from './wire-names.ts';

/** The schemas of the accounts API, in the shape of `Accounts`. */
const table = {
  settings: {
    summary: 'Get the enabled features, which decide what pages show.',
    input: none,
    output: z.object({
      signUp: z.boolean(),
      passwordRecovery: z.boolean(),
      passkeys: z.boolean(),
      /** An earlier server does not send it. */
      emailSignIn: z.boolean().default(false),
      /** Likewise. */
      organizations: z.boolean().default(false),
      identifierFirst: z.boolean(),
      /** Likewise. */
      providersOnly: z.boolean().default(false),
      minimumPasswordLength: z.int(),
      /** Likewise. */
      scopes: z.record(z.string(), z.array(z.string())).default({}),
      secondFactor: policy,
      factorKinds: z.array(factorKind),
      acrValues: z.array(z.string()),
    }),
  },
  signIn: signInOperations,
  providers: providerOperations,
  organizations: organizationOperations,
  account: accountOperations,
  signUp: signUpOperations,
  recovery: recoveryOperations,
  invitation: invitationOperations,
  factors: factorOperations,
  directories: {
    check: {
      summary: 'Check the connection to each directory, step by step.',
      input: none,
      output: z.object({
        directories: z.array(
          z.object({
            directory: z.string(),
            steps: z.array(
              z.object({
                target: z.string(),
                step: z.string(),
                ok: z.boolean(),
                ms: z.number(),
                detail: z.string().optional(),
              }),
            ),
          }),
        ),
      }),
    },
    purge: {
      summary: 'Remove users from the user cache of the server: those of a directory, those with a login name, or all.',
      input: z.object({ directory: z.string().optional(), login: loginName.optional() }),
      output: z.object({ removed: z.int() }),
    },
  },
} as const satisfies OperationsOf<Accounts>;

/** The operations with a dot between group and function, such as `signIn.password`. */
type Names = {
  readonly [Group in keyof Accounts]: Accounts[Group] extends (...input: never[]) => unknown
    ? Group
    : `${Group}.${Extract<keyof Accounts[Group], string>}`;
};
export type OperationName = Names[keyof Accounts];

const isOperation = (row: object): row is Operation => 'input' in row;

/** `POST /admin/accounts/<path>` for each function of `Accounts`: `signIn.password` is `sign-in/password`. */
export const operations: readonly (Operation & { readonly name: OperationName; readonly path: string })[] =
  Object.entries(table).flatMap(([group, rows]) => {
    const named = isOperation(rows)
      ? { [group]: rows }
      : Object.fromEntries(Object.entries<Operation>(rows).map(([member, row]) => [`${group}.${member}`, row]));
    return Object.entries(named).map(([name, row]) => ({ ...row, name: name as OperationName, path: pathOf(name) }));
  });

type Call = (input: unknown) => Promise<unknown>;

/** Creates the functions of `Accounts` one by one. */
export const createAccountsOf = (create: (operation: (typeof operations)[number]) => Call): Accounts => {
  const groups: Record<string, Call | Record<string, Call>> = {};
  for (const operation of operations) {
    const [group = '', member] = operation.name.split('.');
    const call = create(operation);
    groups[group] = member === undefined ? call : { ...groups[group], [member]: call };
  }
  // The table has a row for each function of the interface, which TypeScript does not follow through a loop.
  return groups as unknown as Accounts;
};

/** The function of an operation. */
export const callOf = (accounts: Accounts, name: OperationName): Call => {
  const [group = '', member] = name.split('.');
  const found = accounts[group as keyof Accounts] as Call | Readonly<Record<string, Call>>;
  return (typeof found === 'function' ? found : found[member ?? '']) as Call;
};
