import type { ScopeMatch } from '../clients/scope-match.ts';
import type { Clock } from '../clock.ts';
import type { ClientOf } from '../library/find-client.ts';
import { spaceDelimited } from '../text/space-delimited.ts';
import type { ActiveToken, FindActiveToken } from '../tokens/active-token.ts';
import { effectiveGrant } from '../tokens/grant-details.ts';
import type { UserinfoClaims } from '../tokens/userinfo-claims.ts';
import type { PublicEndpoint } from './endpoint.ts';

export interface UserinfoParts extends Clock {
  readonly clientOf: ClientOf;
  readonly findActiveToken: FindActiveToken;
  readonly userinfoClaims: UserinfoClaims;
  readonly scopeMatch: ScopeMatch;
}

/** RFC 6750, section 2.1. */
const bearer = /^Bearer ([\w.~+/-]+)$/i;

const hasOpenId = (scope: string): boolean => spaceDelimited(scope).includes('openid');

/**
 * The userinfo endpoint (OpenID Connect Core, section 5.3), by one read. oidc-provider answers for tokens that are bound
 * to a key, and for clients whose answers are signed or encrypted.
 */
export const createUserinfoEndpoint = ({
  clientOf,
  findActiveToken,
  userinfoClaims,
  scopeMatch,
  now,
}: UserinfoParts): PublicEndpoint => {
  const isPast = (seconds: number): boolean => seconds <= Math.floor(now() / 1000);

  const isBearer = ({ use, scope, resource, exp, cnf }: ActiveToken): boolean =>
    use === 'access_token' && cnf === undefined && resource === undefined && !isPast(exp) && hasOpenId(scope);

  /** The grant of a token, if it was given to the token's client, which may still have `openid`. */
  const grantOf = ({ client, grant }: ActiveToken) => {
    if (grant === undefined || grant.record.clientId !== client.id) return undefined;
    const { expiresAt, subject } = grant.record;
    if (subject === undefined || (expiresAt !== null && isPast(Math.floor(expiresAt.getTime() / 1000))))
      return undefined;
    const effective = effectiveGrant(grant.details, client, scopeMatch);
    return effective && hasOpenId(effective.ownScope) ? { details: grant.details, subject } : undefined;
  };

  return async ({ method, headers, query, origin }) => {
    if (method !== 'GET' || origin !== undefined) return undefined;
    const value = bearer.exec(headers.authorization ?? '')?.[1];
    if (value === undefined || query !== '' || headers.dpop !== undefined) return undefined;
    const token = await findActiveToken(value);
    if (token === undefined || !isBearer(token)) return undefined;
    const client = clientOf(token.client);
    if (client === undefined || client.userinfoSignedResponseAlg || client.userinfoEncryptedResponseAlg)
      return undefined;
    const grant = grantOf(token);
    if (grant === undefined) return undefined;
    const { details, subject: accountId } = grant;
    return { status: 200, body: userinfoClaims({ client: token.client, accountId, grant: details, iat: token.iat }) };
  };
};
