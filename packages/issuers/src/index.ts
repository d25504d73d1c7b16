export type { Installation, IssuerInput, IssuersInput } from './config/read-issuers.ts';
export {
  type CreateIssuersOptions,
  createIssuers,
  type IssuerOptions,
  type Issuers,
  openIssuers,
} from './open-issuers.ts';
export type { Issuer } from './ports.ts';
export type { FoundIssuer } from './routing/found-issuers.ts';
