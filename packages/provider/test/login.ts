import { createHash, randomBytes } from 'node:crypto';
import { type Browser, createBrowser, locationOf } from './browser.ts';
import { basicOf, redirectUri, type TestClient } from './clients.ts';
import type { Instance } from './harness.ts';

export type Json = Record<string, unknown>;

/** Where a provider is, in this process or another. */
export type Endpoints = Pick<Instance, 'issuer' | 'admin'>;

export const codeVerifier = 'a-code-verifier-of-the-tests-0123456789-0123456789';
export const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
const random = (): string => randomBytes(24).toString('base64url');

/** The standard request: state and nonce of 32 characters, PKCE, three scopes. */
export const authorizationUrl = (
  { issuer }: Pick<Instance, 'issuer'>,
  client: TestClient,
  params: Readonly<Record<string, string>> = {},
): string => {
  const query = new URLSearchParams({
    client_id: client.id,
    response_type: 'code',
    scope: 'openid offline_access profile',
    redirect_uri: redirectUri,
    state: random(),
    nonce: random(),
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
    ...params,
  });
  return `${issuer}/oauth2/auth?${query}`;
};

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

/** A whole authorization; returns the URL at the client. */
export const authorize = async (
  instance: Endpoints,
  client: TestClient,
  options: Decisions & { browser?: Browser; params?: Readonly<Record<string, string>> } = {},
): Promise<URL> => {
  const { browser = createBrowser(), params } = options;
  const challenge = await begin(browser, authorizationUrl(instance, client, params));
  return locationOf(await browser.get(await decideAll(instance, browser, challenge, options)));
};

/** A call of the token endpoint. */
export const token = async (
  { issuer }: Pick<Instance, 'issuer'>,
  client: TestClient,
  params: Readonly<Record<string, string>>,
): Promise<{ status: number; headers: Headers; body: Json }> => {
  const response = await fetch(`${issuer}/oauth2/token`, {
    method: 'POST',
    headers: basicOf(client),
    body: new URLSearchParams(client.secret === undefined ? { client_id: client.id, ...params } : { ...params }),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Json };
};

export const redeem = (instance: Pick<Instance, 'issuer'>, client: TestClient, code: string) =>
  token(instance, client, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: codeVerifier,
  });

export const refresh = (instance: Pick<Instance, 'issuer'>, client: TestClient, refreshToken: unknown) =>
  token(instance, client, { grant_type: 'refresh_token', refresh_token: String(refreshToken) });

/** A whole login, tokens included. */
export const login = async (
  instance: Endpoints,
  client: TestClient,
  options: Parameters<typeof authorize>[2] = {},
): Promise<Json> => {
  const code = (await authorize(instance, client, options)).searchParams.get('code') ?? '';
  return (await redeem(instance, client, code)).body;
};

/** What introspection says of a token. */
export const introspect = async ({ admin }: Pick<Endpoints, 'admin'>, value: unknown): Promise<Json> => {
  const body = new URLSearchParams({ token: String(value) });
  return (await (await fetch(`${admin}/admin/oauth2/introspect`, { method: 'POST', body })).json()) as Json;
};
