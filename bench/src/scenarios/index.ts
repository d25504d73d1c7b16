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
import { login, loginConfidential, loginReturning, loginReturningConfidential } from './logins.ts';
import { discovery, jwks } from './metadata.ts';
import type { Scenario } from './scenario.ts';
import { refresh, refreshJwt, userinfo, userinfoJwt } from './tokens.ts';
import { visitFromConsent, visitFromLogin, visitWithRequest } from './visits.ts';

/** In the order they are run and reported. */
export const scenarios: readonly Scenario[] = [
  login,
  loginConfidential,
  loginReturning,
  loginReturningConfidential,
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
  userinfo,
  userinfoJwt,
  fetchClient,
  listClients,
  createClient,
  discovery,
  jwks,
];
