import { grantTypes } from '../clients/grant-types.ts';
import { type AssertionDependencies, createOpenAssertion } from './assertions.ts';
import { type AuthorizationCodeDependencies, createAuthorizationCodeGrant } from './authorization-code.ts';
import { type ClientCredentialsDependencies, createClientCredentialsGrant } from './client-credentials.ts';
import type { Grant } from './grant.ts';
import { createJwtBearerGrant } from './jwt-bearer.ts';
import { createPolledGrant } from './polled-request.ts';
import { createRefreshTokenGrant, type RefreshTokenDependencies } from './refresh-token.ts';
import { createTokenExchangeGrant, type TokenExchangeDependencies } from './token-exchange.ts';
import { createIssueUserTokens, type UserTokensDependencies } from './user-tokens.ts';

interface Polled {
  readonly enabled: boolean;
  readonly pollingIntervalSeconds: number;
}

interface Switch {
  readonly enabled: boolean;
}

export type GrantsDependencies = UserTokensDependencies &
  ClientCredentialsDependencies &
  Omit<AuthorizationCodeDependencies & RefreshTokenDependencies, 'issueUserTokens'> &
  Omit<TokenExchangeDependencies, 'openAssertion'> &
  Omit<AssertionDependencies, 'jwtBearer'> & {
    readonly features: {
      readonly device: Polled;
      readonly ciba: Polled;
      readonly jwtBearer: Switch & AssertionDependencies['jwtBearer'];
      readonly tokenExchange: Switch;
    };
  };

/** The enabled grants, by grant type. */
export const createGrants = (given: GrantsDependencies): Readonly<Record<string, Grant>> => {
  const { device, ciba, jwtBearer, tokenExchange } = given.features;
  const deps = {
    ...given,
    issueUserTokens: createIssueUserTokens(given),
    openAssertion: createOpenAssertion({ ...given, jwtBearer }),
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
