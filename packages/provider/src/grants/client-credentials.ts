import { assertScopes } from '../clients/client-permissions.ts';
import { grantTypes } from '../clients/grant-types.ts';
import type { ScopeMatch } from '../clients/scope-match.ts';
import { spaceDelimited } from '../text/space-delimited.ts';
import type { Grant } from './grant.ts';
import { issueSingleToken, onlyResource, type SingleTokenDependencies } from './single-token.ts';

const grantType = grantTypes.clientCredentials;

export interface ClientCredentialsDependencies extends SingleTokenDependencies {
  readonly scopeMatch: ScopeMatch;
}

/** The client credentials grant (RFC 6749, section 4.4): one write for an opaque token, none for a JWT. */
export const createClientCredentialsGrant = (deps: ClientCredentialsDependencies): Grant => ({
  parameters: ['scope', 'audience', 'resource'],
  async issue(request) {
    const resource = onlyResource(request, deps);
    const requested = spaceDelimited(request.parameters.get('scope'));
    const scopes = resource?.scopesOf(requested) ?? requested;
    assertScopes(request.record, scopes, deps.scopeMatch);
    return issueSingleToken(request, { grantType, scopes, resource }, deps);
  },
});
