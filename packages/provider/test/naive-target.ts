import { type Browser, createBrowser, locationOf } from './browser.ts';
import { redirectUri, type TestClient } from './clients.ts';
import { authorizationUrl } from './login.ts';
import { type Naive, startNaive } from './naive-provider.ts';
import { type AuthorizeOptions, clients, isAtClient, registrations, type Target } from './threat-target.ts';

/** The login app answers at once: a redirect is all there is to an interaction. */
const walk = async (
  { issuer }: Pick<Naive, 'issuer'>,
  client: TestClient,
  { browser = createBrowser(), scope = 'openid offline_access profile' }: AuthorizeOptions,
  stopBeforeEnd: boolean,
): Promise<URL> => {
  const params: Record<string, string> = { scope };
  if (scope.includes('offline_access')) params.prompt = 'consent';
  let url = new URL(authorizationUrl({ issuer }, client, params));
  for (;;) {
    const response = await browser.get(url.href);
    url = locationOf(response);
    if (isAtClient(url) || (stopBeforeEnd && response.headers.get('x-prompt') === 'consent')) return url;
  }
};

const logout = async ({ issuer }: Pick<Naive, 'issuer'>, browser: Browser): Promise<void> => {
  const form = await (await browser.get(`${issuer}/oauth2/sessions/logout`)).text();
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(form)?.[1] ?? '';
  await fetch(`${issuer}/oauth2/sessions/logout/confirm`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    body: new URLSearchParams({ xsrf, logout: 'yes' }),
  });
};

const clientMetadata = Object.entries(clients).map(([name, client]) => ({
  client_id: client.id,
  client_secret: 'secret' in client ? client.secret : undefined,
  redirect_uris: [redirectUri],
  grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
  scope: 'openid offline_access profile',
  ...registrations[name as keyof typeof clients],
}));

/** oidc-provider with an ordinary adapter, with the clients of `threat-target.ts`. */
export const startNaiveTarget = async (): Promise<Target> => {
  const naive = await startNaive(clientMetadata);
  const { store, issuer, stop } = naive;
  return {
    issuer,
    stop,
    faults: store.faults,
    sessionInFlight: 'upsert Session',
    storingTokens: 'upsert AccessToken',
    lastStep: async (client, options = {}) => (await walk(naive, client, options, true)).href,
    authorize: (client, options = {}) => walk(naive, client, options, false),
    logout: (browser) => logout(naive, browser),
    participants: async (browser) =>
      Object.keys(store.rows.get(`Session:${browser.cookies.get('_session')}`)?.authorizations ?? {}),
    written: () => store.writes(),
  };
};
