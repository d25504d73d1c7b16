import { assertAudience, assertScopes } from '../clients/registered.ts';
import type { ScopeMatch } from '../clients/scope-match.ts';
import type { HookedTokens, RunHooks, TokenClaims } from '../hooks/run-hooks.ts';
import { spaceDelimited } from '../text/space-delimited.ts';
import type { IssueAccessToken } from '../tokens/issue-access-token.ts';
import { lifetimeOf } from '../tokens/lifetimes.ts';
import type { Resources } from '../tokens/resources.ts';
import { bindingOf, tokenTypeOf } from './binding.ts';
import type { Grant, TokenRequest } from './grant.ts';
import { unforeseen } from './request-store.ts';
import { onlyResource } from './requested-resource.ts';

const grantType = 'client_credentials';

export interface ClientCredentialsDependencies {
  /** Seconds. */
  readonly ttl: { readonly accessToken: number };
  readonly resources: Resources;
  readonly scopeMatch: ScopeMatch;
  readonly issueAccessToken: IssueAccessToken;
  /** Undefined if there are no hooks. */
  readonly runHooks: RunHooks | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The claims of the access token that the hooks leave. */
const extFrom = async (
  runHooks: RunHooks,
  { record: client, parameters }: TokenRequest,
  token: Pick<HookedTokens, 'scopes' | 'audience'>,
): Promise<TokenClaims['accessToken']> => {
  const claims = { accessToken: {}, idToken: {} };
  const left = await runHooks({ client, grantType, parameter: parameters.all, subject: client.id, ...token, claims });
  return left.accessToken;
};

/** The client credentials grant (RFC 6749, section 4.4): one write for an opaque token, none for a JWT. */
export const createClientCredentialsGrant = ({
  ttl,
  resources,
  scopeMatch,
  issueAccessToken,
  runHooks,
  now,
}: ClientCredentialsDependencies): Grant => ({
  parameters: ['scope', 'audience', 'resource'],
  async issue(request) {
    const { record: client, parameters, store } = request;
    const bound = bindingOf(request);
    const requested = spaceDelimited(parameters.get('scope'));
    const resource = onlyResource(parameters.all('resource'), client, resources);
    const scopes = resource?.scopesOf(requested) ?? requested;
    assertScopes(client, scopes, scopeMatch);
    const named = parameters.all('audience').flatMap(spaceDelimited);
    const audience = resource ? [resource.identifier] : named;
    if (resource === undefined) assertAudience(client, named);
    const ext = runHooks ? await extFrom(runHooks, request, { scopes, audience }) : {};
    const expires_in = resource?.accessTokenTtl ?? lifetimeOf(client, grantType, 'access_token', ttl.accessToken);
    const iat = Math.floor(now() / 1000);
    const { value, writes } = issueAccessToken(
      {
        client,
        grantId: undefined,
        subject: client.id,
        scope: scopes.join(' '),
        audience,
        ext,
        authorizationDetails: undefined,
        bound,
        iat,
        exp: iat + expires_in,
      },
      { resource: resource?.identifier },
    );
    const access_token = typeof value === 'string' ? value : await value;
    const committing = store.commit(writes);
    const stopped = committing && (await committing);
    if (stopped) throw unforeseen(stopped);
    return {
      access_token,
      expires_in,
      scope: scopes.join(' ') || undefined,
      token_type: tokenTypeOf(bound),
    };
  },
});
