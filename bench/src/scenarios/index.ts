import * as clientCredentials from './client-credentials.ts';
import * as clients from './clients.ts';
import * as introspection from './introspection.ts';
import * as kinds from './logins.ts';
import * as metadata from './metadata.ts';
import type { Scenario } from './scenario.ts';
import * as tokens from './tokens.ts';
import * as visits from './visits.ts';

/** Whole logins, the headline first. */
export const logins: readonly Scenario[] = [
  kinds.login,
  kinds.loginMounted,
  kinds.loginMix,
  kinds.loginOffline,
  kinds.loginMaxAge,
  kinds.loginAcr,
  kinds.loginClaims,
  kinds.loginFormPost,
  kinds.loginRemember,
  kinds.loginReturning,
  kinds.loginDpop,
  kinds.loginConfidential,
  kinds.loginReturningConfidential,
];

export const redemptions: readonly Scenario[] = [
  tokens.redeem,
  tokens.redeemJwt,
  tokens.redeemDpop,
  tokens.redeemResource,
];

/** In the order in which they are run and reported. */
export const scenarios: readonly Scenario[] = [
  ...logins,
  visits.visitWithRequest,
  visits.acceptLogin,
  visits.visitFromLogin,
  visits.acceptConsent,
  visits.visitFromConsent,
  introspection.introspection,
  introspection.introspectionJwt,
  introspection.introspectionInactive,
  clientCredentials.clientCredentials,
  clientCredentials.clientCredentialsJwt,
  clientCredentials.clientCredentials100,
  clientCredentials.clientCredentials1000,
  clientCredentials.clientCredentialsCold,
  clientCredentials.wrongSecrets,
  tokens.refresh,
  tokens.refreshJwt,
  tokens.refreshDpop,
  tokens.refreshResource,
  ...redemptions,
  tokens.userinfo,
  tokens.userinfoJwt,
  clients.fetchClient,
  clients.listClients,
  clients.createClient,
  metadata.discovery,
  metadata.jwks,
];
