import { createHash, randomBytes } from 'node:crypto';
import type { Endpoints } from '../targets/target.ts';
import { type Cookies, visit, visitClient } from './browser.ts';
import type { DpopKey } from './dpop-key.ts';
import { openHttpPool } from './http-pool.ts';
import type { LoginKind, Tokens } from './kinds.ts';
import { decide } from './login-requests.ts';
import { type Client, redirectUri } from './register-client.ts';
import { openTokenRequests } from './token-requests.ts';

const codeVerifier = randomBytes(32).toString('base64url');
const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');

/** A user and the user's browser. */
export interface User {
  readonly subject: string;
  readonly cookies: Cookies;
}

/** An authorization code that waits for its redemption. */
export interface Code {
  readonly code: string;
  /** The key that redeems it, if tokens are bound to keys. */
  readonly key: DpopKey | undefined;
}

/** The refresh token of a login, and the key to which it is bound. */
export interface Refreshing {
  readonly token: string;
  readonly key: DpopKey | undefined;
}

/** Each method throws for any answer but the right one. */
export interface Logins {
  /**
   * The first login of a new user, from the authorization request to the tokens: three visits of a browser that keeps its
   * cookies, a login app that fetches and accepts two requests, and the client's redemption of the code.
   */
  run(): Promise<Tokens>;
  /** The same, with login and consent remembered. */
  remember(): Promise<User>;
  /** The login of a remembered user: the login app finds `skip` in both requests and accepts them. */
  comeBack(user: User): Promise<Tokens>;
  /** A login of a new user who refuses consent: the client receives `access_denied`. */
  refuse(): Promise<void>;
  /** A login of a new user up to the code. */
  authorize(): Promise<Code>;
  redeem(code: Code): Promise<Tokens>;
  /** A login of a new user, for its refresh token. */
  startRefreshing(): Promise<Refreshing>;
  refresh(refreshing: Refreshing): Promise<Refreshing>;
  /** A login of a new user up to the consent page; returns the queries of the two pages. */
  abandon(): Promise<Abandoned>;
  close(): void;
}

export interface Abandoned {
  readonly login: string;
  readonly consent: string;
}

interface Remembering {
  readonly remember: boolean;
  /** Whether the user must be known already. */
  readonly skip: boolean;
}

const newUser = (): User => ({ subject: randomBytes(16).toString('base64url'), cookies: new Map() });

/** The steps of a browser and a login app up to the authorization response. */
const openSteps = (
  target: Endpoints,
  client: Client,
  { connections, kind }: { connections: number; kind: LoginKind },
) => {
  const publicPool = openHttpPool(target.publicUrl, connections);
  const adminPool = openHttpPool(target.adminUrl, connections);
  const fixed = new URLSearchParams({
    client_id: client.id,
    response_type: 'code',
    scope: 'openid offline_access',
    redirect_uri: redirectUri,
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
    ...kind.parameters,
  }).toString();
  return {
    toLogin({ cookies }: User, state: string): Promise<string> {
      const nonce = randomBytes(16).toString('base64url');
      return visit(publicPool, cookies, `${target.publicUrl}/oauth2/auth?${fixed}&state=${state}&nonce=${nonce}`);
    },
    async toConsent({ subject, cookies }: User, page: string, { remember, skip }: Remembering): Promise<string> {
      const body = { subject, ...kind.login, ...(remember && { remember }) };
      return visit(publicPool, cookies, await decide(adminPool, page, { what: 'login', body, skip }));
    },
    async toClient({ cookies }: User, page: string, { remember, skip }: Remembering): Promise<URLSearchParams> {
      const body = { grant_scope: ['openid', 'offline_access'], ...kind.consent, ...(remember && { remember }) };
      return visitClient(publicPool, cookies, await decide(adminPool, page, { what: 'consent', body, skip }));
    },
    async refuse({ cookies }: User, page: string): Promise<URLSearchParams> {
      const body = { error: 'access_denied', error_description: 'The user denied the request.' };
      const decision = { what: 'consent', verb: 'reject', body, skip: false } as const;
      return visitClient(publicPool, cookies, await decide(adminPool, page, decision));
    },
    close() {
      publicPool.close();
      adminPool.close();
    },
  };
};

export const openLogins = (target: Endpoints, client: Client, connections: number, kind: LoginKind = {}): Logins => {
  const steps = openSteps(target, client, { connections, kind });
  const tokenRequests = openTokenRequests(target, client, { connections, codeVerifier, kind });
  const first: Remembering = { remember: kind.isRemembered ?? false, skip: false };
  let logins = 0;

  const authorize = async (user: User, how: Remembering): Promise<Code> => {
    const state = randomBytes(16).toString('base64url');
    const consentPage = await steps.toConsent(user, await steps.toLogin(user, state), how);
    const response = await steps.toClient(user, consentPage, how);
    if (response.get('state') !== state) throw new Error('the response has another state');
    return { code: response.get('code') ?? '', key: kind.keys?.[logins++ % kind.keys.length] };
  };
  const redeem = ({ code, key }: Code): Promise<Tokens> => tokenRequests.redeem(code, key);
  const journey = async (user: User, how: Remembering): Promise<Tokens> => redeem(await authorize(user, how));

  return {
    run: () => journey(newUser(), first),
    async remember() {
      const user = newUser();
      await journey(user, { remember: true, skip: false });
      return user;
    },
    comeBack: (user) => journey(user, { remember: false, skip: true }),
    async refuse() {
      const user = newUser();
      const state = randomBytes(16).toString('base64url');
      const consentPage = await steps.toConsent(user, await steps.toLogin(user, state), first);
      const response = await steps.refuse(user, consentPage);
      if (response.get('state') !== state || response.get('error') !== 'access_denied') {
        throw new Error(`the client received ${response}, not access_denied`);
      }
    },
    authorize: () => authorize(newUser(), first),
    redeem,
    async startRefreshing() {
      const code = await authorize(newUser(), first);
      return { token: (await redeem(code)).refresh_token, key: code.key };
    },
    async refresh({ token, key }) {
      return { token: (await tokenRequests.refresh(token, key)).refresh_token, key };
    },
    async abandon() {
      const user = newUser();
      const login = await steps.toLogin(user, 'a-state-of-22-letters.');
      const consent = await steps.toConsent(user, login, first);
      return { login: new URL(login).search, consent: new URL(consent).search };
    },
    close() {
      steps.close();
      tokenRequests.close();
    },
  };
};
