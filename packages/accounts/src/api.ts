/** The types of the accounts API, in process and over HTTP. */
export type * from './api/account.ts';
export type * from './api/accounts.ts';
export type * from './api/directories.ts';
export type * from './api/factors.ts';
export type * from './api/groups.ts';
export type * from './api/organizations.ts';
export type * from './api/outcome.ts';
export type * from './api/providers.ts';
export type * from './api/sign-in.ts';
export type * from './api/sign-up.ts';
export type * from './api/users.ts';
