import { toOAuthError } from '../library/asked-context.ts';
import type { Proven } from '../library/proven-keys.ts';
import { invalidRequest, OAuthError } from '../oauth-error.ts';
import { isScope, spaceDelimited } from '../text/space-delimited.ts';
import type { ActiveToken } from '../tokens/active-token.ts';
import { effectiveGrant } from '../tokens/grant-details.ts';
import { assertOrigin, OriginError } from './cors.ts';
import type { EndpointDependencies } from './dependencies.ts';
import type { EndpointRequest, PublicEndpoint } from './endpoint.ts';
import { assertOnce } from './parameters.ts';

/** The description of a request without a token: its challenges say nothing of an error (RFC 6750, section 3.1). */
const noToken = 'no access token provided';

const quoted = (value: string): string => `"${value.replaceAll(/["\\]/g, '\\$&')}"`;

const challengeOf = (scheme: string, fields: Readonly<Record<string, string | undefined>>): string => {
  const given = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}=${quoted(value)}`,
  );
  return `${scheme} ${given.join(', ')}`;
};

/** The refusals of userinfo, with their challenges (RFC 6750, section 3; RFC 9449, section 7.1). */
const createChallenge = ({ options, proofAlgorithms }: EndpointDependencies) => {
  const realm = options.issuer;
  const isDpop = options.features.dpop.enabled;
  const algs = proofAlgorithms.join(' ');

  const challengesOf = ({ error, error_description, scope }: OAuthError, isBound: boolean): string | string[] => {
    if (error_description === noToken) {
      const bearer = challengeOf('Bearer', { realm });
      return isDpop ? [bearer, challengeOf('DPoP', { realm, algs })] : bearer;
    }
    const fields = { realm, error, error_description, scope };
    return isBound ? challengeOf('DPoP', { ...fields, algs }) : challengeOf('Bearer', fields);
  };

  return (refusal: OAuthError, request: EndpointRequest, token: ActiveToken | undefined): OAuthError => {
    const { error, error_description = '', scope } = refusal;
    const isBoundToKey = token?.cnf !== undefined && 'jkt' in token.cnf;
    const isBound = isDpop && (isBoundToKey || Boolean(request.headers.dpop) || /dpop/i.test(error_description));
    const isOfProof = error === 'invalid_dpop_proof' || error === 'use_dpop_nonce';
    return new OAuthError(error, error_description, {
      status: isOfProof ? 401 : refusal.status,
      scope,
      headers: { ...refusal.headers, 'WWW-Authenticate': challengesOf(refusal, isBound) },
      cause: refusal,
    });
  };
};

const invalidToken = (description = 'invalid token provided'): OAuthError =>
  new OAuthError('invalid_token', description, { status: 401 });
const invalidProof = (description: string): OAuthError => new OAuthError('invalid_dpop_proof', description);

const insufficientScope = (description: string, scope: string): OAuthError =>
  new OAuthError('insufficient_scope', description, { status: 403, scope });

/** The token in an Authorization header (RFC 6750, section 2.1; RFC 9449, section 7.1). */
const tokenIn = (authorization: string, isProven: boolean): string => {
  const [scheme = '', value, ...more] = authorization.split(' ');
  if (value === undefined || more.length > 0) throw invalidRequest('invalid authorization header value format');
  const expected = isProven ? 'DPoP' : 'Bearer';
  if (scheme.toLowerCase() === expected.toLowerCase()) return value;
  if (isProven) throw invalidRequest('authorization header scheme must be `DPoP` when DPoP is used');
  if (scheme.toLowerCase() === 'dpop') throw invalidRequest('`DPoP` header not provided');
  throw invalidRequest('authorization header scheme must be `Bearer`');
};

/** The access token of a request, which has it in one place (RFC 6750, section 2). */
const presentedToken = ({ method, headers, params, query }: EndpointRequest, isProven: boolean): string => {
  const inQuery = method === 'POST' ? new URLSearchParams(query).get('access_token') : params.get('access_token');
  const inForm = method === 'POST' ? params.get('access_token') : undefined;
  const places = [headers.authorization, inQuery, inForm].filter(Boolean);
  if (places.length === 0) throw invalidToken(noToken);
  if (places.length > 1) throw invalidRequest('access token must only be provided using one mechanism');
  // A URL is in histories and logs (RFC 9700, section 4.3.2).
  if (inQuery) throw invalidRequest('access tokens must not be provided via query parameter');
  if (headers.authorization) return tokenIn(headers.authorization, isProven);
  if (isProven) throw invalidRequest('`DPoP` tokens must be provided via an authorization header');
  return inForm ?? '';
};

/** @throws {OAuthError} unless the token is for userinfo (OpenID Connect Core, section 5.3.1) */
const assertForUserinfo = ({ scope, resource, audience, grant }: ActiveToken, asked: string | null) => {
  const scopes = spaceDelimited(scope);
  if (!scopes.includes('openid')) throw insufficientScope('access token missing openid scope', 'openid');
  // A token for a resource (RFC 8707) is for that one alone. A JWT names it as its audience.
  if (resource ?? audience.find((one) => grant?.details.resources?.includes(one))) throw invalidToken();
  if (!asked) return;
  if (!isScope(asked)) throw invalidRequest('scope contains invalid characters');
  const missing = spaceDelimited(asked).filter((name) => !scopes.includes(name));
  if (missing.length > 0) throw insufficientScope('access token missing requested scope', missing.join(' '));
};

/** The one step that makes a stolen bound token useless: the request proves the key that `cnf` names. */
const assertBound = ({ cnf }: ActiveToken, { keys }: Proven): void => {
  if (cnf !== undefined && 'x5t#S256' in cnf && cnf['x5t#S256'] !== keys.certificate()) throw invalidToken();
  if (keys.jkt !== (cnf !== undefined && 'jkt' in cnf ? cnf.jkt : undefined)) throw invalidToken();
};

/** The grant of a token, if it was given to this registration of the token's client. */
const grantOf = ({ client, grant }: ActiveToken, { scopeMatch, now }: EndpointDependencies) => {
  const record = grant?.record;
  if (grant === undefined || record?.clientId !== client.id || record.subject === undefined) throw invalidToken();
  if (record.expiresAt !== null && record.expiresAt.getTime() <= now()) throw invalidToken();
  if (effectiveGrant(grant.details, client, scopeMatch) === undefined) throw invalidToken();
  return { details: grant.details, accountId: record.subject };
};

/** The userinfo endpoint (OpenID Connect Core, section 5.3), by one read. The claim of a DPoP proof is one write. */
export const createUserinfoEndpoint = (deps: EndpointDependencies): PublicEndpoint => {
  const { options, adapter, clientOf, findActiveToken, userinfoClaims, createClientJwt, now } = deps;
  const isDpop = options.features.dpop.enabled;
  const challenge = createChallenge(deps);
  /** Proves the key of a bound token. A proof is used up even if the token is refused (RFC 9449, section 11.1). */
  const prove = async (request: EndpointRequest, token: ActiveToken, value: string): Promise<Proven> => {
    const proven = await deps.proveKeys('userinfo', request.message, token.client.id, value);
    if (proven.proof && (await adapter.commit([proven.proof])))
      throw invalidProof('DPoP proofs must only be used once');
    return proven;
  };

  const find = async (value: string): Promise<ActiveToken> => {
    const token = await findActiveToken(value);
    if (token?.use !== 'access_token' || token.grant === undefined || token.exp * 1000 <= now()) throw invalidToken();
    return token;
  };

  const answer = async (request: EndpointRequest, token: ActiveToken, proven: Proven | undefined) => {
    const client = clientOf(token.client);
    assertOrigin(request.origin, client);
    assertForUserinfo(token, request.params.get('scope'));
    if (proven) assertBound(token, proven);
    const { details: grant, accountId } = grantOf(token, deps);
    const claims = userinfoClaims({ client: token.client, accountId, grant, iat: token.iat });
    const { headers } = proven ?? {};
    const { userinfoSignedResponseAlg: alg, userinfoEncryptedResponseAlg: encryptionAlg } = client;
    if (!alg) return { status: 200, headers, body: claims };
    const enc = client.userinfoEncryptedResponseEnc;
    const named = {
      ...claims,
      aud: client.clientId,
      exp: token.exp,
      iat: Math.floor(now() / 1000),
      iss: options.issuer,
    };
    const body = await createClientJwt(named, token.client, { alg, encryptionAlg, enc });
    return { status: 200, headers: { ...headers, 'Content-Type': 'application/jwt; charset=utf-8' }, body };
  };

  return async (request) => {
    let token: ActiveToken | undefined;
    let proven: Proven | undefined;
    try {
      assertOnce(request.params, ['scope', 'access_token']);
      const isProven = isDpop && Boolean(request.headers.dpop);
      const value = presentedToken(request, isProven);
      token = await find(value);
      if (isProven || token.cnf !== undefined) proven = await prove(request, token, value);
      return await answer(request, token, proven);
    } catch (thrown) {
      const error = toOAuthError(thrown);
      if (!(error instanceof OAuthError) || error instanceof OriginError) throw error;
      const refusal = challenge(error, request, token);
      throw proven?.headers ? toOAuthError(refusal, proven.headers) : refusal;
    }
  };
};
