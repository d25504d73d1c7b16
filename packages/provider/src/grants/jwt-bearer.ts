import { assertScopes } from '../clients/client-permissions.ts';
import { grantTypes } from '../clients/grant-types.ts';
import { invalidRequest, invalidScope } from '../oauth-error.ts';
import { spaceDelimited } from '../text/space-delimited.ts';
import type { AssertionGrantDependencies } from './assertions.ts';
import type { Grant } from './grant.ts';
import { issueSingleToken, onlyResource } from './single-token.ts';

const grantType = grantTypes.jwtBearer;

/** Access tokens for the assertions of trusted issuers (RFC 7523, section 2.1). */
export const createJwtBearerGrant = (deps: AssertionGrantDependencies): Grant => ({
  parameters: ['assertion', 'scope', 'audience', 'resource'],
  async issue(request) {
    const { parameters, record, store } = request;
    const jwt = parameters.get('assertion');
    if (jwt === undefined) throw invalidRequest("missing required parameter 'assertion'");
    const { assertion, trusted, claim } = await deps.openAssertion(jwt, store);
    const requested = spaceDelimited(parameters.get('scope'));
    assertScopes(record, requested, deps.scopeMatch);
    const held = new Set(trusted.scope);
    const beyond = requested.find((scope) => !deps.scopeMatch(held, scope));
    if (beyond !== undefined) throw invalidScope('the issuer of the assertion is not trusted with this scope', beyond);
    const resource = onlyResource(request, deps);
    const scopes = resource?.scopesOf(requested) ?? requested;
    const { subject } = assertion;
    return issueSingleToken(request, { grantType, subject, scopes, resource, assertions: claim && [claim] }, deps);
  },
});
