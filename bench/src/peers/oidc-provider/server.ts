// One process of oidc-provider with its own pages. The environment variable OIDC_PROVIDER has its settings as JSON.

import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import Provider, { type JWKS } from 'oidc-provider';
import pg from 'pg';
import { redirectUri } from '../../users/register-client.ts';
import { postgresAdapter } from './postgres-adapter.ts';

export interface ServerSettings {
  readonly port: number;
  readonly jwks: JWKS;
  readonly cookieKey: string;
  readonly clientId: string;
  /** The URL of a Postgres database with the schema. Default: the in-memory adapter of oidc-provider. */
  readonly database?: string;
}

const { port, jwks, cookieKey, clientId, database } = JSON.parse(process.env.OIDC_PROVIDER ?? '{}') as ServerSettings;
const issuer = `http://127.0.0.1:${port}`;

const provider = new Provider(issuer, {
  ...(database === undefined ? {} : { adapter: postgresAdapter(new pg.Pool({ connectionString: database })) }),
  jwks,
  cookies: { keys: [cookieKey] },
  clients: [
    {
      client_id: clientId,
      token_endpoint_auth_method: 'none',
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      id_token_signed_response_alg: 'ES256',
    },
  ],
  findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_, { uid }) => `${issuer}/interaction/${uid}` },
  routes: { authorization: '/oauth2/auth', token: '/oauth2/token' },
});

/** Accepts each prompt at once, as a page does when the user has decided. */
const interact = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { prompt, params, session } = await provider.interactionDetails(request, response);
  if (prompt.name === 'login') {
    return provider.interactionFinished(request, response, { login: { accountId: randomUUID() } });
  }
  const grant = new provider.Grant({ accountId: session?.accountId, clientId: String(params.client_id) });
  grant.addOIDCScope(String(params.scope));
  const consent = { grantId: await grant.save() };
  await provider.interactionFinished(request, response, { consent }, { mergeWithLastSubmission: true });
};

const callback = provider.callback();
createServer((request, response) => {
  if (!request.url?.startsWith('/interaction/')) return void callback(request, response);
  interact(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
}).listen(port, '127.0.0.1');
