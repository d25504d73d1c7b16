import type { IncomingMessage } from 'node:http';
import { isRegisteredAudience, unregisteredScope } from '../clients/registered.ts';
import { scopeMatches } from '../clients/scope-match.ts';
import type { LeanResponse } from '../endpoints/fast-endpoint.ts';
import type { FindClient } from '../endpoints/find-client.ts';
import { redirect } from '../endpoints/redirect.ts';
import { isPlainChallenge } from '../grants/pkce.ts';
import { type ProviderClient, recordOf } from '../library/clients.ts';
import { needsPkce } from '../library/configuration.ts';
import type { OidcDependencies } from '../library/dependencies.ts';
import { attainableScope } from '../library/registered.ts';
import { isScope, spaceDelimited } from '../text/space-delimited.ts';
import type { Challenges } from './challenges.ts';
import { arePlainParams, isPlainClient, travelling } from './fast-flow.ts';
import { bindingCookies } from './flow-binding.ts';

export interface BeginDependencies extends Pick<OidcDependencies, 'options' | 'jar'> {
  readonly challenges: Pick<Challenges, 'begin'>;
  readonly findClient: FindClient;
}

type Params = ReadonlyMap<string, string>;

/** The first visit: a browser that nobody is remembered in, with a request that asks for a code and nothing unusual. */
export const createBeginning = ({ options, jar, challenges, findClient }: BeginDependencies) => {
  const matches = scopeMatches[options.scopeStrategy];

  /** The scope of the request, if the client may have what it asks for. */
  const scopeOf = (params: Params, client: ProviderClient): string | undefined => {
    const scope = params.get('scope') ?? '';
    const scopes = spaceDelimited(scope);
    const record = recordOf(client);
    // Without `openid` other rules hold for what it may ask.
    if (!isScope(scope) || !scopes.includes('openid')) return undefined;
    if (unregisteredScope(record, scopes, matches) !== undefined) return undefined;
    return isRegisteredAudience(record, spaceDelimited(params.get('audience')))
      ? attainableScope(client, scopes, 'code')
      : undefined;
  };

  return async (params: Params, req: IncomingMessage): Promise<LeanResponse | undefined> => {
    const { cookie: cookieHeader } = req.headers;
    if (params.get('response_type') !== 'code' || !arePlainParams(params)) return undefined;
    if (jar.session.present(cookieHeader)) return undefined;
    const client = await findClient(req, params.get('client_id') ?? '');
    if (client === undefined || !isPlainClient(client)) return undefined;
    if (!client.redirectUriAllowed(params.get('redirect_uri') ?? '')) return undefined;
    const pkce = { challenge: params.get('code_challenge'), method: params.get('code_challenge_method') };
    if (!isPlainChallenge(pkce, needsPkce(options, client))) return undefined;
    const scope = scopeOf(params, client);
    if (scope === undefined) return undefined;
    const next = await challenges.begin({ params: { ...travelling(params), scope } });
    return redirect({
      status: 302,
      location: next.url,
      cookies: bindingCookies(next, { jar, options }, { cookieHeader }),
    });
  };
};
