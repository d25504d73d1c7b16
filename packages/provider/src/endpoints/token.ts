import type { TokenParameters } from '../grants/grant.ts';
import { toOAuthError } from '../library/asked-context.ts';
import { OAuthError } from '../oauth-error.ts';
import { assertGrantType, type ClientAnswer } from './client-endpoint.ts';
import type { EndpointDependencies } from './dependencies.ts';
import { assertOnce, assertScopeSyntax, required, valuesOf } from './parameters.ts';

/** Parameters that a request may repeat (RFC 8707, section 2; RFC 8693, section 2.1). */
const repeatable: ReadonlySet<string> = new Set(['resource', 'audience']);

const parametersOf = (params: URLSearchParams): TokenParameters => ({
  get: (name) => params.get(name) || undefined,
  all: (name) => valuesOf(params, name),
});

/** `POST /oauth2/token` (RFC 6749, section 3.2): calls the grant that the request of an authenticated client names. */
export const createTokenEndpoint = ({ grants, proveKeys }: EndpointDependencies): ClientAnswer => {
  const byType = new Map(
    Object.entries(grants).map(([type, grant]) => [
      type,
      { grant, once: grant.parameters.filter((name) => !repeatable.has(name)) },
    ]),
  );

  return async ({ params, message, auditContext }, { client, record }, store) => {
    const grantType = required(params, 'grant_type');
    const found = byType.get(grantType);
    if (found === undefined) throw new OAuthError('unsupported_grant_type', 'unsupported grant_type requested');
    assertGrantType(client, grantType);
    assertOnce(params, found.once);
    assertScopeSyntax(params.get('scope'));
    auditContext.grantType = grantType;
    const proven = proveKeys('token', message, record.id);
    // Each additional promise costs measurable time.
    const { keys, proof, headers } = proven instanceof Promise ? await proven : proven;
    if (proof) store.prove(proof);
    const request = { client, record, parameters: parametersOf(params), keys, store, auditContext };
    try {
      return { status: 200, headers, body: await found.grant.issue(request) };
    } catch (error) {
      throw headers ? toOAuthError(error, headers) : error;
    }
  };
};
