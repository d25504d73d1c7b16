import {
  clientCredentials,
  clientCredentials100,
  clientCredentials1000,
  clientCredentialsCold,
  clientCredentialsJwt,
  wrongSecrets,
} from './client-credentials.ts';
import { createClient, fetchClient, listClients } from './clients.ts';
import { acceptConsent, acceptLogin } from './decisions.ts';
import { introspection, introspectionInactive, introspectionJwt } from './introspection.ts';
import {
  login,
  loginAcr,
  loginClaims,
  loginConfidential,
  loginDpop,
  loginFormPost,
  loginMaxAge,
  loginMix,
  loginMounted,
  loginOffline,
  loginRemember,
  loginReturning,
  loginReturningConfidential,
} from './logins.ts';
import { discovery, jwks } from './metadata.ts';
import type { Scenario } from './scenario.ts';
import {
  redeem,
  redeemDpop,
  redeemJwt,
  redeemResource,
  refresh,
  refreshDpop,
  refreshJwt,
  refreshResource,
  userinfo,
  userinfoJwt,
} from './tokens.ts';
import { visitFromConsent, visitFromLogin, visitWithRequest } from './visits.ts';

/** Whole logins, the headline first. */
export const logins: readonly Scenario[] = [
  login,
  loginMounted,
  loginMix,
  loginOffline,
  loginMaxAge,
  loginAcr,
  loginClaims,
  loginFormPost,
  loginRemember,
  loginReturning,
  loginDpop,
  loginConfidential,
  loginReturningConfidential,
];

export const redemptions: readonly Scenario[] = [redeem, redeemJwt, redeemDpop, redeemResource];

/** In the order in which they are run and reported. */
export const scenarios: readonly Scenario[] = [
  ...logins,
  visitWithRequest,
  acceptLogin,
  visitFromLogin,
  acceptConsent,
  visitFromConsent,
  introspection,
  introspectionJwt,
  introspectionInactive,
  clientCredentials,
  clientCredentialsJwt,
  clientCredentials100,
  clientCredentials1000,
  clientCredentialsCold,
  wrongSecrets,
  refresh,
  refreshJwt,
  refreshDpop,
  refreshResource,
  ...redemptions,
  userinfo,
  userinfoJwt,
  fetchClient,
  listClients,
  createClient,
  discovery,
  jwks,
];
