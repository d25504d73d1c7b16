import { grantTypes } from '../clients/grant-types.ts';
import { createOpenAssertion } from './assertions.ts';
import { createAuthorizationCodeGrant } from './authorization-code.ts';
import { createClientCredentialsGrant } from './client-credentials.ts';
import type { Grant, GrantDependencies } from './grant.ts';
import { createJwtBearerGrant } from './jwt-bearer.ts';
import { createPolledGrant } from './polled-request.ts';
import { createRefreshTokenGrant } from './refresh-token.ts';
import { createTokenExchangeGrant } from './token-exchange.ts';
import { createIssueUserTokens } from './user-tokens.ts';

/** The enabled grants, by grant type. */
export const createGrants = (given: GrantDependencies): Readonly<Record<string, Grant>> => {
  const { device, ciba, jwtBearer, tokenExchange } = given.options.features;
  const deps = {
    ...given,
    issueUserTokens: createIssueUserTokens(given),
    openAssertion: createOpenAssertion(given),
  };
  return {
    [grantTypes.authorizationCode]: createAuthorizationCodeGrant(deps),
    [grantTypes.refreshToken]: createRefreshTokenGrant(deps),
    [grantTypes.clientCredentials]: createClientCredentialsGrant(deps),
    ...(jwtBearer.enabled && { [grantTypes.jwtBearer]: createJwtBearerGrant(deps) }),
    ...(tokenExchange.enabled && { [grantTypes.tokenExchange]: createTokenExchangeGrant(deps) }),
    ...(device.enabled && {
      [grantTypes.deviceCode]: createPolledGrant(
        { kind: 'device', grantType: grantTypes.deviceCode, gty: 'device_code', parameter: 'device_code', ...device },
        deps,
      ),
    }),
    ...(ciba.enabled && {
      [grantTypes.ciba]: createPolledGrant(
        { kind: 'backchannel_request', grantType: grantTypes.ciba, gty: 'ciba', parameter: 'auth_req_id', ...ciba },
        deps,
      ),
    }),
  };
};
