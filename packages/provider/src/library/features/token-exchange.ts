import { grantTypes } from '../../clients/grant-types.ts';
import type { Feature } from './feature.ts';

/** Token exchange (RFC 8693): `grants/token-exchange.ts`. Clients need the grant type. */
export const tokenExchange: Feature = {
  name: 'tokenExchange',
  create: () => ({ grantTypes: [grantTypes.tokenExchange] }),
};
