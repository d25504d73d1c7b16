import { createServer, type RequestListener } from 'node:http';
import { type Configuration, type KoaContextWithOIDC, Provider } from 'oidc-provider';
import { listen } from '../listen.ts';
import type { Claims, ProviderRequest, ProviderResponse, RegisteredClient } from './identity-stand-in.ts';

/** A user who signs in at the provider. `acr` and `amr` are those of the sign-in. */
export interface UpstreamLogin {
  readonly user: string;
  readonly acr?: string;
  readonly amr?: readonly string[];
}

/** oidc-provider on loopback. Every user signs in at once, and consents. */
export interface TestOpenIdProvider {
  readonly issuer: string;
  /** The claims of each user. A test may change them. */
  readonly users: Map<string, Claims>;
  /** Requests as Carnet sends them, over the network. */
  readonly send: (request: ProviderRequest) => Promise<ProviderResponse>;
  /** The requests that it got, as `METHOD path`. */
  readonly requests: string[];
  /** Follows a browser from the authorization request to the callback. `stop`: the user cancels. Returns the query. */
  authorize(url: string, login: UpstreamLogin | 'stop'): Promise<string>;
  /** The user signs out there. Returns the body of the notification. */
  logout(user: string): Promise<string>;
  close(): Promise<void>;
}

const settings = (
  client: RegisteredClient,
  users: ReadonlyMap<string, Claims>,
  notify: (body: string) => void,
): Configuration => ({
  clients: [
    {
      client_id: client.clientId,
      client_secret: client.clientSecret,
      redirect_uris: [client.redirectUri],
      response_types: ['code'],
      grant_types: ['authorization_code'],
      backchannel_logout_uri: `${client.redirectUri}/logout`,
      post_logout_redirect_uris: [`${client.redirectUri}/signed-out`],
    },
  ],
  // In place of the network: only notifications of a logout are sent.
  fetch: async (_url, init) => {
    notify(String(init?.body));
    return new Response(null);
  },
  acrValues: ['urn:carnet:2fa'],
  claims: {
    openid: ['sub', 'acr', 'amr', 'auth_time'],
    profile: ['name', 'preferred_username'],
    email: ['email', 'email_verified'],
    groups: ['groups'],
  },
  scopes: ['openid', 'profile', 'email', 'groups'],
  features: {
    devInteractions: { enabled: false },
    pushedAuthorizationRequests: { enabled: true },
    backchannelLogout: { enabled: true },
  },
  cookies: { keys: ['the key of the tests'] },
  pkce: { required: () => true },
  findAccount: (_context: KoaContextWithOIDC, accountId: string) => ({
    accountId,
    claims: async () => ({ sub: accountId, ...users.get(accountId) }),
  }),
  interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
  loadExistingGrant: async ({ oidc }) => {
    const grant = new oidc.provider.Grant({ clientId: oidc.client?.clientId, accountId: oidc.session?.accountId });
    grant.addOIDCScope('openid profile email groups');
    await grant.save();
    return grant;
  },
});

/** Ends the interaction as the test says: the header carries the login. */
const createInteraction =
  (provider: Provider): RequestListener =>
  async (request, response) => {
    const login: UpstreamLogin | 'stop' = JSON.parse(String(request.headers['x-test-login']));
    const result =
      login === 'stop'
        ? { error: 'access_denied', error_description: 'The user has stopped.' }
        : { login: { accountId: login.user, acr: login.acr, amr: login.amr && [...login.amr] } };
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  };

const createAuthorize =
  (redirectUri: string): TestOpenIdProvider['authorize'] =>
  async (url, login) => {
    const cookies = new Map<string, string>();
    let target = url;
    for (let step = 0; step < 10; step += 1) {
      const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
      const headers = { cookie, 'x-test-login': JSON.stringify(login) };
      const response = await fetch(target, { headers, redirect: 'manual' });
      for (const line of response.headers.getSetCookie()) {
        const [pair = ''] = line.split(';', 1);
        cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
      }
      const location = response.headers.get('location');
      if (location === null) throw new Error(`The provider answered ${response.status}: ${await response.text()}`);
      target = new URL(location, target).href;
      if (target.startsWith(`${redirectUri}?`)) return new URL(target).search.slice(1);
    }
    throw new Error('The provider did not redirect to the callback.');
  };

const send: TestOpenIdProvider['send'] = async ({ url, method, headers, body }) => {
  const response = await fetch(url, { method, headers, redirect: 'manual', ...(body !== undefined && { body }) });
  return { status: response.status, headers: response.headers, body: await response.text() };
};

export const openTestOpenIdProvider = async (client: RegisteredClient): Promise<TestOpenIdProvider> => {
  const users = new Map<string, Claims>();
  const requests: string[] = [];
  let handle: RequestListener = () => {};
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${new URL(request.url ?? '/', 'http://provider').pathname}`);
    handle(request, response);
  });
  const { origin, close } = await listen(server);
  let notification = '';
  const notify = (body: string): void => {
    notification = body;
  };
  const provider = new Provider(origin, settings(client, users, notify));
  const logout: TestOpenIdProvider['logout'] = async (user) => {
    const registered = await provider.Client.find(client.clientId);
    const send = registered?.backchannelLogout;
    if (typeof send !== 'function') throw new Error('The provider sends no notifications of a logout.');
    await send.call(registered, user, 'a-session');
    return notification;
  };
  const [callback, interaction] = [provider.callback(), createInteraction(provider)];
  handle = (request, response) =>
    request.url?.startsWith('/interaction/') ? interaction(request, response) : callback(request, response);
  return { issuer: origin, users, requests, send, authorize: createAuthorize(client.redirectUri), logout, close };
};
