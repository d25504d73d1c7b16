import type { Write } from '@carnet/adapter-contract';
import { assertAudience } from '../clients/client-permissions.ts';
import type { ClientRecord } from '../clients/client-record.ts';
import type { HookedTokens } from '../hooks/run-hooks.ts';
import { invalidGrant, invalidRequest, invalidTarget } from '../oauth-error.ts';
import { spaceDelimited } from '../text/space-delimited.ts';
import { type Bound, tokenTypeOf } from '../tokens/access-token.ts';
import type { AccessToken } from '../tokens/issue-access-token.ts';
import type { Resource } from '../tokens/resources.ts';
import { bindingOf } from './binding.ts';
import type { GrantDependencies, TokenRequest, TokenResponse } from './grant.ts';
import { unforeseen } from './request-store.ts';

/** An access token that is issued without a login, so that no refresh token or ID token comes with it. */
export interface SingleToken extends Pick<AccessToken, 'resource' | 'grantId' | 'act' | 'maxSeconds'> {
  readonly grantType: string;
  /** Absent: the client itself. */
  readonly subject?: string;
  readonly scopes: readonly string[];
  /** The exchanged token was bound to a key, and the new one must not be usable without a key either. */
  readonly mustBeBound?: boolean;
  /** RFC 8693, section 2.2.1. */
  readonly issuedTokenType?: string;
  /** The claims that let each assertion of the request be used once (RFC 7523, section 3). */
  readonly assertions?: readonly Write[];
}

/** The one resource that a request names, or none. */
export const onlyResource = (
  { parameters, record }: TokenRequest,
  { resources }: Pick<GrantDependencies, 'resources'>,
): Resource | undefined => {
  const [resource, ...others] = resources.find(parameters.all('resource'), record);
  if (others.length > 0) throw invalidTarget('only a single resource can be named for this grant type');
  return resource;
};

const assertBound = (bound: Bound, { mustBeBound }: SingleToken): void => {
  if (mustBeBound && bound.jkt === undefined && bound['x5t#S256'] === undefined)
    throw invalidRequest('the exchanged token is bound: prove possession of a key (DPoP or a client certificate)');
};

const audienceOf = ({ record, parameters }: TokenRequest, resource: Resource | undefined): readonly string[] => {
  if (resource) return [resource.identifier];
  const audience = parameters.all('audience').flatMap(spaceDelimited);
  assertAudience(record, audience);
  return audience;
};

/** The tokens for the hooks, which may add claims. */
const hookable = (
  { record: client, parameters }: TokenRequest,
  token: Pick<HookedTokens, 'grantType' | 'subject' | 'scopes' | 'audience'>,
): HookedTokens => ({ ...token, client, parameter: parameters.all, claims: { accessToken: {}, idToken: {} } });

/** The subject of another issuer is returned unchanged: only users of this provider have pairwise subjects. */
const subjectOf = (
  client: ClientRecord,
  { subject, grantId }: SingleToken,
  { subjects }: Pick<GrantDependencies, 'subjects'>,
): string => {
  if (subject === undefined) return client.id;
  return grantId === undefined ? subject : subjects.present(client, subject);
};

/**
 * Issues one access token and commits its record.
 *
 * @throws {OAuthError} `invalid_request` for an audience that the client is not registered for, or a missing key;
 * `invalid_grant` for an assertion that was used before; and the errors of the token hooks
 */
export const issueSingleToken = async (
  request: TokenRequest,
  token: SingleToken,
  deps: Pick<GrantDependencies, 'runHooks' | 'subjects' | 'issueAccessToken' | 'now'>,
): Promise<TokenResponse> => {
  const { record: client, store } = request;
  const { grantType, scopes, resource, grantId, act, maxSeconds, assertions = [] } = token;
  const bound = bindingOf(request);
  assertBound(bound, token);
  const audience = audienceOf(request, resource);
  const subject = subjectOf(client, token, deps);
  const { runHooks } = deps;
  const hooked = runHooks && (await runHooks(hookable(request, { grantType, subject, scopes, audience })));
  const iat = Math.floor(deps.now() / 1000);
  const scope = scopes.join(' ');
  const { value, expiresIn, writes } = deps.issueAccessToken({
    client,
    grantId,
    subject,
    accountId: token.subject,
    gty: grantType,
    scope,
    audience,
    resource,
    ext: hooked?.accessToken,
    act,
    bound,
    iat,
    maxSeconds,
  });
  const access_token = typeof value === 'string' ? value : await value;
  const committing = store.commit(assertions.length === 0 ? writes : [...assertions, ...writes]);
  const stopped = committing && (await committing);
  if (stopped)
    throw assertions.includes(stopped.conflict.write)
      ? invalidGrant('assertions must only be used once')
      : unforeseen(stopped);
  return {
    access_token,
    expires_in: expiresIn,
    issued_token_type: token.issuedTokenType,
    scope: scope || undefined,
    token_type: tokenTypeOf(bound),
  };
};
