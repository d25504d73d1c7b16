import { type Browser, createBrowser } from '../browser.ts';
import { type Endpoints, headless, type Json } from '../login.ts';
import { type Client, post } from './clients.ts';
import { redirectUri } from './start.ts';

export const user = 'foo@bar.com';

const denial = { error: 'access_denied', error_description: 'The resource owner denied the request' };

/** What the user does at the pages of a login and consent app that works like Ory's reference. */
export interface Decisions {
  /** Absent: the user reads the page and goes no further. */
  readonly login?: { readonly accept?: boolean; readonly remember?: boolean };
  /** Absent: the same, unless the app accepts by itself. */
  readonly consent?: { readonly accept?: boolean; readonly remember?: boolean; readonly scope?: readonly string[] };
}

export interface Journey extends Decisions {
  readonly browser?: Browser;
  readonly params?: Readonly<Record<string, string>>;
}

/** The page at which the browser is when nothing more happens by itself, and the query of its URL. */
export interface Arrival {
  readonly page: string;
  readonly query: Readonly<Record<string, string>>;
  readonly response: Response;
}

type Step = (challenge: string) => Promise<string | undefined>;

const answer = async (at: Endpoints, what: string, challenge: string, body: Json): Promise<string> => {
  const action = 'error' in body ? 'reject' : 'accept';
  const answered = await headless(at, 'PUT', `${what}/${action}?${what}_challenge=${challenge}`, body);
  if (answered.status !== 200) throw new Error(`${what}: ${answered.status} ${answered.text}`);
  return String(answered.body.redirect_to);
};

const stepsOf = (at: Endpoints, { login, consent }: Decisions): Readonly<Record<string, Step>> => ({
  async login(challenge) {
    const { body } = await headless(at, 'GET', `login?login_challenge=${challenge}`);
    if (body.skip) return answer(at, 'login', challenge, { subject: body.subject });
    if (login === undefined) return undefined;
    const { accept = true, remember = false } = login;
    return answer(at, 'login', challenge, accept ? { subject: user, remember, remember_for: 3_600 } : denial);
  },
  async consent(challenge) {
    const { body } = await headless(at, 'GET', `consent?consent_challenge=${challenge}`);
    const isSkipped = body.skip || (body.client as Json).skip_consent;
    if (isSkipped) return answer(at, 'consent', challenge, { grant_scope: body.requested_scope, session: {} });
    if (consent === undefined) return undefined;
    const { accept = true, remember = false, scope = [] } = consent;
    const granted = { grant_scope: scope, remember, remember_for: 3_600, session: {} };
    return answer(at, 'consent', challenge, accept ? granted : denial);
  },
});

/** Follows the redirects of the provider, and lets the app answer its pages. */
export const follow = async (
  at: Endpoints,
  browser: Browser,
  start: string,
  decisions: Decisions = {},
): Promise<Arrival> => {
  const steps = stepsOf(at, decisions);
  let url: string | undefined = start;
  for (;;) {
    const response: Response = await browser.get(url);
    const location = response.headers.get('location');
    if (location === null) return { page: 'provider', query: {}, response };
    const { href, origin, pathname, searchParams } = new URL(location, url);
    if (origin === new URL(at.issuer).origin) {
      url = href;
      continue;
    }
    const page = origin === new URL(redirectUri).origin ? 'client' : pathname.slice(1);
    const next = await steps[page]?.(searchParams.get(`${page}_challenge`) ?? '');
    if (next === undefined) return { page, query: Object.fromEntries(searchParams), response };
    url = next;
  }
};

/** An authorization request of the client, without PKCE, as Hydra's relying party sends it. */
export const visit = async (
  at: Endpoints,
  client: Pick<Client, 'client_id' | 'scope'>,
  { browser = createBrowser(), params = {}, ...decisions }: Journey = {},
): Promise<Arrival> => {
  const query = new URLSearchParams({
    client_id: client.client_id,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: client.scope,
    state: 'a-state-of-the-client',
    ...(client.scope.includes('openid') ? { nonce: 'a-nonce-of-the-client' } : {}),
    ...params,
  });
  return follow(at, browser, `${at.issuer}/oauth2/auth?${query}`, decisions);
};

const redeem = ({ issuer }: Pick<Endpoints, 'issuer'>, client: Client, code: string | undefined) =>
  post(`${issuer}/oauth2/token`, client, {
    grant_type: 'authorization_code',
    code: code ?? '',
    redirect_uri: redirectUri,
  });

export const refresh = ({ issuer }: Pick<Endpoints, 'issuer'>, client: Client, refreshToken: unknown) =>
  post(`${issuer}/oauth2/token`, client, { grant_type: 'refresh_token', refresh_token: String(refreshToken) });

/** A whole login, to the tokens. */
export const signIn = async (at: Endpoints, client: Client, journey: Journey = {}): Promise<Json> => {
  const arrived = await visit(at, client, { login: {}, ...journey });
  if (arrived.query.code === undefined) throw new Error(`no code at ${arrived.page}: ${JSON.stringify(arrived.query)}`);
  const { status, body } = await redeem(at, client, arrived.query.code);
  if (status !== 200) throw new Error(`no tokens: ${status} ${JSON.stringify(body)}`);
  return body;
};
