import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Configuration, Provider } from 'oidc-provider';
import { generateKeys } from '../src/keys/sources/generate-keys.ts';
import { createNaiveStore, type NaiveStore } from './naive-adapter.ts';
import { clients } from './threat-target.ts';

const firstParty = new Set<string>([clients.second.id, clients.third.id]);

export interface Naive {
  readonly issuer: string;
  readonly store: NaiveStore;
  stop(): Promise<void>;
}

/** The recipe of its documentation for applications of one's own: nobody is asked whether they may. */
const skipConsent: NonNullable<Configuration['loadExistingGrant']> = async ({ oidc }) => {
  const { client, session, result, provider } = oidc;
  const clientId = client?.clientId ?? '';
  const grantId = result?.consent?.grantId ?? session?.grantIdFor(clientId);
  if (grantId !== undefined) return provider.Grant.find(grantId);
  if (!firstParty.has(clientId)) return undefined;
  const grant = new provider.Grant({ clientId, accountId: session?.accountId });
  grant.addOIDCScope('openid');
  await grant.save();
  return grant;
};

/** Nothing unusual: what its documentation has one set, and paths that let one test drive both providers. */
const configuration = (issuer: string, store: NaiveStore, registered: readonly object[]): Configuration => ({
  adapter: store.adapter as never,
  clients: registered as never,
  jwks: generateKeys() as never,
  cookies: { keys: ['a cookie key of the tests'] },
  scopes: ['openid', 'offline_access', 'profile'],
  claims: { openid: ['sub'], profile: ['name'] },
  clientDefaults: { id_token_signed_response_alg: 'ES256' },
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    dPoP: { enabled: true },
    rpInitiatedLogout: {
      enabled: true,
      logoutSource: (ctx: { body: unknown }, form: string) => {
        ctx.body = form;
      },
    } as never,
  },
  interactions: { url: (_ctx, { uid }) => `${issuer}/interaction/${uid}` },
  rotateRefreshToken: true,
  routes: {
    authorization: '/oauth2/auth',
    token: '/oauth2/token',
    userinfo: '/userinfo',
    end_session: '/oauth2/sessions/logout',
  },
  loadExistingGrant: skipConsent,
  findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ sub }) }),
  ttl: {
    Session: 86_400,
    Grant: 86_400,
    RefreshToken: 86_400,
    Interaction: 3_600,
    AccessToken: 3_600,
    ClientCredentials: 3_600,
    IdToken: 3_600,
  },
});

/** A login page that lets in whoever the query names, and consents to everything. */
const loginApp = async (provider: Provider, req: IncomingMessage, res: ServerResponse): Promise<void> => {
  const { prompt, params, session, grantId } = await provider.interactionDetails(req, res);
  res.setHeader('x-prompt', prompt.name);
  const subject = new URL(req.url ?? '/', 'http://login.test').searchParams.get('subject') ?? 'alice';
  if (prompt.name === 'login') return provider.interactionFinished(req, res, { login: { accountId: subject } });
  const known = grantId === undefined ? undefined : await provider.Grant.find(grantId);
  const grant = known ?? new provider.Grant({ accountId: session?.accountId, clientId: String(params.client_id) });
  grant.addOIDCScope(String(params.scope));
  const result = { consent: { grantId: await grant.save() } };
  return provider.interactionFinished(req, res, result, { mergeWithLastSubmission: true });
};

const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

/** oidc-provider as it comes, with an adapter as its documentation shows it: where the defects are seen. */
export const startNaive = async (registered: readonly object[]): Promise<Naive> => {
  const server = createServer();
  const port = await new Promise<number>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
  );
  const issuer = `http://127.0.0.1:${port}`;
  const store = createNaiveStore();
  const provider = new Provider(issuer, configuration(issuer, store, registered));
  const callback = provider.callback();
  server.on('request', (req, res) => {
    if (!req.url?.startsWith('/interaction/')) return void callback(req, res);
    loginApp(provider, req, res).catch(() => res.writeHead(500).end());
  });
  return { issuer, store, stop: () => closeServer(server) };
};
