import { grantTypes } from '../../clients/grant-types.ts';
import type { Feature } from './feature.ts';

/** Assertions of trusted issuers (RFC 7523, section 2.1): `grants/jwt-bearer.ts`. Clients need the grant type. */
export const jwtBearer: Feature = {
  name: 'jwtBearer',
  create: () => ({ grantTypes: [grantTypes.jwtBearer] }),
};
