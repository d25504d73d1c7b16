import { createClient, fetchClient, listClients } from './clients.ts';
import { acceptLogin, login, loginConfidential } from './logins.ts';
import { discovery, jwks } from './metadata.ts';
import type { Scenario } from './scenario.ts';
import { clientCredentials, introspection, refresh, userinfo } from './tokens.ts';

/** In the order they are run and reported. */
export const scenarios: readonly Scenario[] = [
  login,
  loginConfidential,
  acceptLogin,
  introspection,
  clientCredentials,
  refresh,
  userinfo,
  fetchClient,
  listClients,
  createClient,
  discovery,
  jwks,
];
