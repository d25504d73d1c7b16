import type { Verify } from './require-scope.ts';

/** Asks Carnet about each token (RFC 7662). `admin` is the address of the admin API. */
export const createIntrospection = (admin: string, adminToken: string, audience: string): Verify => {
  const headers = { authorization: `Bearer ${adminToken}` };
  return async (token) => {
    const body = new URLSearchParams({ token });
    const response = await fetch(`${admin}/admin/oauth2/introspect`, { method: 'POST', headers, body });
    if (!response.ok) throw new Error(`The introspection failed with status ${response.status}.`);
    const claims = await response.json();
    // A refresh token is active, too.
    const isAccepted = claims.active && claims.token_use === 'access_token' && claims.aud?.includes(audience);
    return isAccepted && claims.cnf === undefined ? claims : undefined;
  };
};
