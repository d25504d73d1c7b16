import { createHash, randomBytes } from 'node:crypto';
import { type Browser, createBrowser, locationOf } from './browser.ts';
import { type Answer, type Json, postForm } from './call.ts';
import { basicOf, redirectUri, type TestClient } from './clients.ts';
import type { Instance } from './harness.ts';

export type { Json } from './call.ts';

/** Where a provider is, in this process or another. */
export type Endpoints = Pick<Instance, 'issuer' | 'admin'>;

export const codeVerifier = 'a-code-verifier-of-the-tests-0123456789-0123456789';
export const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
const random = (): string => randomBytes(24).toString('base64url');

/** Those that are `undefined` are left out. */
export type Params = Readonly<Record<string, string | undefined>>;

/** The standard request: state and nonce of 32 characters, PKCE, three scopes. */
export const authorizationParams = (client: TestClient, params: Params = {}): Record<string, string> => {
  const all = {
    client_id: client.id,
    response_type: 'code',
    scope: 'openid offline_access profile',
    redirect_uri: redirectUri,
    state: random(),
    nonce: random(),
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
    ...params,
  };
  return Object.fromEntries(Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined));
};

/** The URL of exactly these parameters. */
export const authorizationUrlOf = (
  { issuer }: Pick<Instance, 'issuer'>,
  params: Readonly<Record<string, string>>,
): string => `${issuer}/oauth2/auth?${new URLSearchParams(params)}`;

export const authorizationUrl = (at: Pick<Instance, 'issuer'>, client: TestClient, params?: Params): string =>
  authorizationUrlOf(at, authorizationParams(client, params));

/** Pushes the standard request (RFC 9126). */
export const push = (
  { issuer }: Pick<Instance, 'issuer'>,
  client: TestClient,
  params: Params = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> =>
  postForm(`${issuer}/oauth2/par`, authorizationParams(client, params), { ...basicOf(client), ...headers });

/** Where the browser brings a pushed request. */
export const pushedUrl = (at: Pick<Instance, 'issuer'>, { id }: TestClient, { body }: Answer, more: Params = {}) =>
  authorizationUrlOf(at, { client_id: id, request_uri: String(body.request_uri), ...more });

/** A call of the headless API, as a login app makes it. */
export const headless = async (
  { admin }: Pick<Instance, 'admin'>,
  method: 'GET' | 'PUT',
  path: string,
  body?: unknown,
): Promise<{ status: number; body: Json; text: string }> => {
  const response = await fetch(`${admin}/admin/oauth2/auth/requests/${path}`, {
    method,
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, text, body: text === '' ? {} : (JSON.parse(text) as Json) };
};

export interface Decisions {
  readonly subject?: string;
  readonly login?: Json;
  readonly consent?: Json;
}

export const challengeIn = (response: Response, what: 'login' | 'consent'): string => {
  const challenge = locationOf(response).searchParams.get(`${what}_challenge`);
  if (challenge === null) throw new Error(`no ${what}_challenge in ${locationOf(response).origin}`);
  return challenge;
};

/** The error that ends a request at once, at the client or on the error page. */
export const errorAt = async (url: string, browser: Browser = createBrowser()): Promise<string | null> => {
  const { searchParams, hash } = locationOf(await browser.get(url));
  return searchParams.get('error') ?? new URLSearchParams(hash.slice(1)).get('error');
};

/** Begin: returns the login challenge. */
export const begin = async (browser: Browser, url: string): Promise<string> =>
  challengeIn(await browser.get(url), 'login');

/** Accept a login; returns where the browser has to go. */
export const acceptLogin = async (instance: Endpoints, challenge: string, body: Json): Promise<string> =>
  String((await headless(instance, 'PUT', `login/accept?login_challenge=${challenge}`, body)).body.redirect_to);

export const acceptConsent = async (instance: Endpoints, challenge: string, body: Json = {}): Promise<string> =>
  String(
    (
      await headless(instance, 'PUT', `consent/accept?consent_challenge=${challenge}`, {
        grant_scope: ['openid', 'offline_access', 'profile'],
        ...body,
      })
    ).body.redirect_to,
  );

/** From the login page to the URL that ends the flow: what a person does, without the last redirect. */
export const decideAll = async (
  instance: Endpoints,
  browser: Browser,
  loginChallenge: string,
  { subject = 'alice', login, consent }: Decisions = {},
): Promise<string> => {
  const toConsent = await acceptLogin(instance, loginChallenge, { subject, ...login });
  return acceptConsent(instance, challengeIn(await browser.get(toConsent), 'consent'), consent);
};

/** What the login or consent app rejects; returns where the browser has to go. */
export const reject = async (
  instance: Pick<Instance, 'admin'>,
  what: 'login' | 'consent',
  challenge: string,
  body: Json = { error: 'access_denied' },
): Promise<string> =>
  String((await headless(instance, 'PUT', `${what}/reject?${what}_challenge=${challenge}`, body)).body.redirect_to);

export interface AuthorizeOptions extends Decisions {
  readonly browser?: Browser;
  readonly params?: Params;
}

/** What the login app is asked. */
export const askLogin = async (
  instance: Endpoints,
  client: TestClient,
  { browser = createBrowser(), params }: AuthorizeOptions = {},
): Promise<Json> => {
  const challenge = await begin(browser, authorizationUrl(instance, client, params));
  return (await headless(instance, 'GET', `login?login_challenge=${challenge}`)).body;
};

/** A login; returns the consent challenge. */
export const logIn = async (
  instance: Endpoints,
  client: TestClient,
  { browser = createBrowser(), params, subject = 'alice', login }: AuthorizeOptions = {},
): Promise<string> => {
  const challenge = await begin(browser, authorizationUrl(instance, client, params));
  return challengeIn(await browser.get(await acceptLogin(instance, challenge, { subject, ...login })), 'consent');
};

/** What the consent app is asked after a login. */
export const askConsent = async (
  instance: Endpoints,
  client: TestClient,
  options: AuthorizeOptions = {},
): Promise<Json> => {
  const challenge = await logIn(instance, client, options);
  return (await headless(instance, 'GET', `consent?consent_challenge=${challenge}`)).body;
};

/** A whole authorization that begins at a URL; returns the URL at the client. */
export const authorizeAt = async (
  instance: Endpoints,
  url: string,
  { browser = createBrowser(), ...decisions }: Omit<AuthorizeOptions, 'params'> = {},
): Promise<URL> =>
  locationOf(await browser.get(await decideAll(instance, browser, await begin(browser, url), decisions)));

/** A whole authorization; returns the URL at the client. */
export const authorize = (
  instance: Endpoints,
  client: TestClient,
  { params, ...options }: AuthorizeOptions = {},
): Promise<URL> => authorizeAt(instance, authorizationUrl(instance, client, params), options);

export const codeIn = (end: URL): string => end.searchParams.get('code') ?? '';

/** The code that a whole authorization ends with. */
export const codeFor = async (instance: Endpoints, client: TestClient, options?: AuthorizeOptions): Promise<string> =>
  codeIn(await authorize(instance, client, options));

/** A call of the token endpoint. */
export const token = (
  { issuer }: Pick<Instance, 'issuer'>,
  client: TestClient,
  params: Readonly<Record<string, string>>,
): Promise<Answer> =>
  postForm(
    `${issuer}/oauth2/token`,
    client.secret === undefined ? { client_id: client.id, ...params } : params,
    basicOf(client),
  );

/** The parameters that redeem a code. */
export const redemptionOf = (code: string) => ({
  grant_type: 'authorization_code',
  code,
  redirect_uri: redirectUri,
  code_verifier: codeVerifier,
});

export const redeem = (
  instance: Pick<Instance, 'issuer'>,
  client: TestClient,
  code: string | URL,
  params: Readonly<Record<string, string>> = {},
) => token(instance, client, { ...redemptionOf(typeof code === 'string' ? code : codeIn(code)), ...params });

export const refresh = (
  instance: Pick<Instance, 'issuer'>,
  client: TestClient,
  refreshToken: unknown,
  params: Readonly<Record<string, string>> = {},
) => token(instance, client, { grant_type: 'refresh_token', refresh_token: String(refreshToken), ...params });

/** A token of a client for itself. */
export const credentialsFor = (
  instance: Pick<Instance, 'issuer'>,
  client: TestClient,
  params: Readonly<Record<string, string>> = {},
) => token(instance, client, { grant_type: 'client_credentials', ...params });

/** A whole login, tokens included. */
export const login = async (instance: Endpoints, client: TestClient, options?: AuthorizeOptions): Promise<Json> =>
  (await redeem(instance, client, await authorize(instance, client, options))).body;

/** What introspection says of a token. */
export const introspect = async ({ admin }: Pick<Endpoints, 'admin'>, value: unknown): Promise<Json> =>
  (await postForm(`${admin}/admin/oauth2/introspect`, { token: String(value) })).body;
