import type { GroupOperations } from '../api/groups.ts';
import type { UserOperations } from '../api/users.ts';
import { groupOperations } from './groups.ts';
import type { Operation, OperationsOf } from './operation.ts';
import { userOperations } from './users.ts';

type Call = (input: unknown) => Promise<unknown>;
type Wrap = (input: Operation['input'], call: Call) => Call;

const wrapEach = <Api extends object>(table: OperationsOf<Api>, api: Api, wrap: Wrap): Api => {
  const wrapped = Object.entries<Operation>(table as Readonly<Record<string, Operation>>).map(([name, { input }]) => [
    name,
    wrap(input, api[name as keyof Api] as Call),
  ]);
  // The table has a row for each function of the interface, which TypeScript does not follow through a loop.
  return Object.fromEntries(wrapped) as unknown as Api;
};

/** The management of users and groups. */
export interface ManagementOperations {
  readonly users: UserOperations;
  readonly groups: GroupOperations;
}

/** The functions of the management, each wrapped: `wrap` checks the input by the schema. */
export const wrapManagement = ({ users, groups }: ManagementOperations, wrap: Wrap): ManagementOperations => ({
  users: wrapEach(userOperations, users, wrap),
  groups: wrapEach(groupOperations, groups, wrap),
});
