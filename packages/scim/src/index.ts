export { configuredTokens } from './configured-tokens.ts';
export { createScim, type Scim, type ScimOptions, type ScimRequest, type ScimResponse } from './create-scim.ts';
export type { TokenHolder } from './protocol/access.ts';
export { mostBodyBytes } from './protocol/limits.ts';
