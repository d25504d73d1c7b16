import { createHash, randomBytes } from 'node:crypto';
import type { Endpoints } from '../targets/target.ts';
import { type Cookies, visit } from './browser.ts';
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

interface Decision {
  readonly what: 'login' | 'consent';
  readonly body: object;
  /** Whether the person must be known already, or must not. */
  readonly skip: boolean;
}

const decide = async (pool: HttpPool, at: string, { what, body, skip }: Decision): Promise<string> => {
  const query = at.slice(at.indexOf('?'));
  const base = `/admin/oauth2/auth/requests/${what}`;
  const asked = await pool.send({ method: 'GET', path: base + query }, 200);
  const request = JSON.parse(asked.body) as { challenge?: string; skip?: boolean };
  if (!request.challenge || request.skip !== skip)
    throw new Error(`another ${what} request was answered: ${asked.body}`);
  const accepted = await pool.send(
    { method: 'PUT', path: `${base}/accept${query}`, headers: json, body: JSON.stringify(body) },
    200,
  );
  return (JSON.parse(accepted.body) as { redirect_to: string }).redirect_to;
};

const member = (url: string, name: string): string => new URL(url).searchParams.get(name) ?? '';

/** Somebody whose login and consent are remembered. */
export interface Person {
  readonly subject: string;
  readonly cookies: Cookies;
}

export interface Logins {
  /**
   * A first login, from the authorization request to the tokens: three visits of a browser that keeps its cookies, a login
   * app that asks and accepts twice, and the client's redemption. Throws for any answer but the right one.
   */
  run(): Promise<Tokens>;
  /** The same, to be remembered. */
  remember(): Promise<Person>;
  /** The same of somebody who is remembered: the login app asks, and accepts what is known. */
  comeBack(person: Person): Promise<Tokens>;
  /** As far as the consent page, and no further; returns the queries that the two pages were given. */
  abandon(): Promise<Abandoned>;
  close(): Promise<void>;
}

export interface Abandoned {
  readonly login: string;
  readonly consent: string;
}

interface Remembering {
  readonly remember: boolean;
  readonly skip: boolean;
}

const unknown: Remembering = { remember: false, skip: false };

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

  const toLogin = (person: Person, state: string): Promise<string> => {
    const nonce = randomBytes(16).toString('base64url');
    return visit(publicPool, person.cookies, `${target.publicUrl}/oauth2/auth?${fixed}&state=${state}&nonce=${nonce}`);
  };
  const toConsent = async (person: Person, at: string, { remember, skip }: Remembering): Promise<string> => {
    const body = { subject: person.subject, ...(remember && { remember }) };
    return visit(publicPool, person.cookies, await decide(adminPool, at, { what: 'login', body, skip }));
  };
  const toClient = async (person: Person, at: string, { remember, skip }: Remembering): Promise<string> => {
    const body = { grant_scope: ['openid', 'offline_access'], ...(remember && { remember }) };
    return visit(publicPool, person.cookies, await decide(adminPool, at, { what: 'consent', body, skip }));
  };
  const journey = async (person: Person, how: Remembering): Promise<Tokens> => {
    const state = randomBytes(16).toString('base64url');
    const consentPage = await toConsent(person, await toLogin(person, state), how);
    return redeem(await toClient(person, consentPage, how), state);
  };
  const newPerson = (): Person => ({ subject: randomBytes(16).toString('base64url'), cookies: new Map() });

  return {
    run: () => journey(newPerson(), unknown),
    async remember() {
      const person = newPerson();
      await journey(person, { remember: true, skip: false });
      return person;
    },
    comeBack: (person) => journey(person, { remember: false, skip: true }),
    async abandon() {
      const person = newPerson();
      const login = await toLogin(person, 'a-state-of-22-letters.');
      const consent = await toConsent(person, login, unknown);
      return { login: new URL(login).search, consent: new URL(consent).search };
    },
    async close() {
      await Promise.all([publicPool.close(), adminPool.close()]);
    },
  };
};
