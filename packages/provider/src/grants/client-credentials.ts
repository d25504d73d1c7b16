import { scopeMatches } from '../clients/scope-match.ts';
import type { LeanGrant } from '../endpoints/token.ts';
import { tokenResponse } from '../endpoints/token-response.ts';
import type { OidcDependencies } from '../library/dependencies.ts';
import { isRegisteredAudience, unregisteredScope } from '../library/registered.ts';
import { isScope, spaceDelimited } from '../text/space-delimited.ts';
import { type AccessToken, type AccessTokenForms, storedMembers } from '../tokens/access-token-forms.ts';
import { lifetimeOf } from '../tokens/lifetimes.ts';
import { tokenRecord } from '../tokens/token-record.ts';
import { accessTokenValue } from '../tokens/token-value.ts';

/** The client credentials grant (RFC 6749, section 4.4): one write for an opaque token, none for a JWT. */
export const createClientCredentialsGrant = (
  { options, adapter, now }: Pick<OidcDependencies, 'options' | 'adapter' | 'now'>,
  forms: AccessTokenForms,
): LeanGrant => {
  const scopeMatch = scopeMatches[options.scopeStrategy];

  /** The token's value, once it is stored; nothing when the store would not have it. */
  const store = async (token: AccessToken): Promise<string | undefined> => {
    const { client, iat, exp } = token;
    const value = accessTokenValue(undefined);
    const scope = token.scope || undefined;
    const record = tokenRecord(value, { iat, exp, clientId: client.id, scope, ...storedMembers(token) });
    return (await adapter.commit([{ type: 'put', record }])) === undefined ? value : undefined;
  };

  return {
    parameters: ['scope', 'audience'],
    async answer({ form }, { record }) {
      const asked = form.get('scope');
      const [scopes, audience] = [spaceDelimited(asked), spaceDelimited(form.get('audience'))];
      if (asked !== undefined && !isScope(asked)) return undefined;
      if (unregisteredScope(record, scopes, scopeMatch) !== undefined) return undefined;
      if (!isRegisteredAudience(record, audience)) return undefined;
      const expires_in = lifetimeOf(record, 'client_credentials', 'access_token', options.ttl.accessToken);
      const iat = Math.floor(now() / 1000);
      const token: AccessToken = {
        client: record,
        grantId: undefined,
        subject: record.id,
        scope: scopes.join(' '),
        audience,
        ext: {},
        authorizationDetails: undefined,
        iat,
        exp: iat + expires_in,
      };
      const access_token = forms.formOf(record) === 'jwt' ? await forms.sign(token) : await store(token);
      if (access_token === undefined) return undefined;
      return tokenResponse({ access_token, expires_in, scope: token.scope || undefined });
    },
  };
};
