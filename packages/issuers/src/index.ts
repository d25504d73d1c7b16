export type { IssuerInput, IssuersInput } from './config/read-issuers.ts';
export { type CreateIssuersOptions, createIssuers, type IssuerOptions, type Issuers } from './open-issuers.ts';
export type { FoundIssuer } from './routing/found-issuers.ts';
