import { createDpopKeys } from '../users/dpop-key.ts';
import type { LoginKind } from '../users/kinds.ts';

/** The resource (RFC 8707) of the clients that name one. */
export const resource = 'https://api.test/';

const acr = 'urn:example:level:2';
const email = 'user@example.com';
const users = 64;

/** `offline_access` the way OpenID Connect Core, section 11 requires it. */
export const offline: LoginKind = { parameters: { prompt: 'consent' } };

export const withMaxAge: LoginKind = { parameters: { max_age: '3600' }, idToken: { auth_time: true } };

export const withAcr: LoginKind = { parameters: { acr_values: acr }, login: { acr }, idToken: { acr } };

/** OpenID Connect Core, section 5.5. */
export const withClaims: LoginKind = {
  parameters: { claims: JSON.stringify({ id_token: { email: { essential: true } }, userinfo: { email: null } }) },
  consent: { session: { id_token: { email } } },
  idToken: { email },
};

export const withFormPost: LoginKind = { parameters: { response_mode: 'form_post' } };

export const remembered: LoginKind = { isRemembered: true };

export const withResource: LoginKind = {
  parameters: { resource },
  tokenParameters: { resource },
  consent: { grant_access_token_audience: [resource] },
  accessToken: { aud: resource },
};

/** Tokens bound to keys: a key per user. */
export const withDpop = (): LoginKind => ({ keys: createDpopKeys(users), accessToken: { cnf: 'jkt' } });
