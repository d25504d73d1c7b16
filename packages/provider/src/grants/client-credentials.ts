import { assertScopes } from '../clients/client-permissions.ts';
import { grantTypes } from '../clients/grant-types.ts';
import { spaceDelimited } from '../text/space-delimited.ts';
import type { Grant, GrantDependencies } from './grant.ts';
import { issueSingleToken, onlyResource } from './single-token.ts';

const grantType = grantTypes.clientCredentials;

/** The client credentials grant (RFC 6749, section 4.4): one write for an opaque token, none for a JWT. */
export const createClientCredentialsGrant = (deps: GrantDependencies): Grant => ({
  parameters: ['scope', 'audience', 'resource'],
  async issue(request) {
    const resource = onlyResource(request, deps);
    const requested = spaceDelimited(request.parameters.get('scope'));
    const scopes = resource?.scopesOf(requested) ?? requested;
    assertScopes(request.record, scopes, deps.scopeMatch);
    return issueSingleToken(request, { grantType, scopes, resource }, deps);
  },
});
