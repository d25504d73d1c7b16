import { createHash, randomBytes } from 'node:crypto';
import type { Endpoints } from '../targets/target.ts';
import { type HttpPool, openHttpPool } from './http-pool.ts';
import { type Client, redirectUri } from './register-client.ts';

const codeVerifier = randomBytes(32).toString('base64url');
const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');

const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly id_token: string;
}

/** What a browser keeps; the paths of cookies are not told apart. */
type Cookies = Map<string, string>;

const pathOf = (url: string): string => url.slice(url.indexOf('/', 'https://'.length));

const store = (cookies: Cookies, lines: string | readonly string[] | undefined): void => {
  for (const line of typeof lines === 'string' ? [lines] : (lines ?? [])) {
    const pair = line.slice(0, line.indexOf(';'));
    const at = pair.indexOf('=');
    const value = pair.slice(at + 1);
    if (value === '') cookies.delete(pair.slice(0, at));
    else cookies.set(pair.slice(0, at), value);
  }
};

const headerOf = (cookies: Cookies): Record<string, string> =>
  cookies.size === 0 ? {} : { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') };

const visit = async (pool: HttpPool, cookies: Cookies, url: string): Promise<string> => {
  const { headers } = await pool.send({ method: 'GET', path: pathOf(url), headers: headerOf(cookies) }, 302, 303);
  store(cookies, headers['set-cookie']);
  return String(headers.location);
};

const decide = async (pool: HttpPool, what: 'login' | 'consent', at: string, body: object): Promise<string> => {
  const query = at.slice(at.indexOf('?'));
  const base = `/admin/oauth2/auth/requests/${what}`;
  const asked = await pool.send({ method: 'GET', path: base + query }, 200);
  if (!asked.body.includes('"challenge":')) throw new Error(`no ${what} request was answered`);
  const accepted = await pool.send(
    { method: 'PUT', path: `${base}/accept${query}`, headers: json, body: JSON.stringify(body) },
    200,
  );
  return (JSON.parse(accepted.body) as { redirect_to: string }).redirect_to;
};

const member = (url: string, name: string): string => new URL(url).searchParams.get(name) ?? '';

export interface Logins {
  /**
   * A first login, from the authorization request to the tokens: three visits of a browser that keeps its cookies, a login
   * app that asks and accepts twice, and the client's redemption. Throws for any answer but the right one.
   */
  run(): Promise<Tokens>;
  close(): Promise<void>;
}

export const openLogins = (target: Endpoints, client: Client, connections: number): Logins => {
  const publicPool = openHttpPool(target.publicUrl, connections);
  const adminPool = openHttpPool(target.adminUrl, connections);
  const base = new URL(target.publicUrl).pathname.replace(/\/$/, '');
  const fixed = new URLSearchParams({
    client_id: client.id,
    response_type: 'code',
    scope: 'openid offline_access',
    redirect_uri: redirectUri,
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
  }).toString();
  const redemption = new URLSearchParams({
    grant_type: 'authorization_code',
    redirect_uri: redirectUri,
    code_verifier: codeVerifier,
    ...(client.authorization ? {} : { client_id: client.id }),
  }).toString();
  const tokenHeaders = client.authorization ? { ...form, authorization: client.authorization } : form;

  const redeem = async (back: string, state: string): Promise<Tokens> => {
    if (member(back, 'state') !== state) throw new Error('another state came back');
    const body = `${redemption}&code=${encodeURIComponent(member(back, 'code'))}`;
    const answer = await publicPool.send(
      { method: 'POST', path: `${base}/oauth2/token`, headers: tokenHeaders, body },
      200,
    );
    const tokens = JSON.parse(answer.body) as Tokens;
    if (!tokens.access_token || !tokens.refresh_token || !tokens.id_token) throw new Error('a token is missing');
    return tokens;
  };

  return {
    async run() {
      const cookies: Cookies = new Map();
      const go = (url: string) => visit(publicPool, cookies, url);
      const state = randomBytes(16).toString('base64url');
      const nonce = randomBytes(16).toString('base64url');
      const toLogin = await go(`${target.publicUrl}/oauth2/auth?${fixed}&state=${state}&nonce=${nonce}`);
      const toConsent = await go(await decide(adminPool, 'login', toLogin, { subject: nonce }));
      const granted = { grant_scope: ['openid', 'offline_access'] };
      return redeem(await go(await decide(adminPool, 'consent', toConsent, granted)), state);
    },
    async close() {
      await Promise.all([publicPool.close(), adminPool.close()]);
    },
  };
};
