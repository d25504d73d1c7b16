/** The port of the accounts database. `@carnet/accounts-sql` implements it. */
export type * from './accounts-store.ts';
export type * from './group-store.ts';
export * from './identity-store.ts';
export type * from './issuer-store.ts';
export type * from './link-store.ts';
export type * from './password-rules.ts';
export type * from './revocation-store.ts';
export type * from './users.ts';
