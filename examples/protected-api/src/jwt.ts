import { createRemoteJWKSet, errors, jwtVerify } from 'jose';
import type { Verify } from './require-scope.ts';

/** Verifies JWT access tokens (RFC 9068) with the published keys of the issuer. */
export const createJwtVerifier = (issuer: string, audience: string): Verify => {
  const keys = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`));
  return async (token) => {
    try {
      // `typ` keeps an ID token from being accepted as an access token.
      const { payload } = await jwtVerify(token, keys, { issuer, audience, typ: 'at+jwt' });
      // A token that is bound to a key (DPoP, mTLS) is no bearer token.
      return payload.cnf === undefined ? payload : undefined;
    } catch (error) {
      const { code = '' } = error as { code?: string };
      const isOutage =
        !(error instanceof errors.JOSEError) || /^ERR_(?:JWKS_TIMEOUT|JWKS_INVALID|JOSE_GENERIC)$/.test(code);
      if (isOutage) throw error;
      return undefined;
    }
  };
};
