export { createScim, type Scim, type ScimOptions, type ScimRequest, type ScimResponse } from './create-scim.ts';
