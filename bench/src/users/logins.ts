import { createHash, randomBytes } from 'node:crypto';
import type { Endpoints } from '../targets/target.ts';
import { type Cookies, visit, visitClient } from './browser.ts';
import type { DpopKey } from './dpop-key.ts';
import { type HttpPool, openHttpPool } from './http-pool.ts';
import type { LoginKind, Tokens } from './kinds.ts';
import { type Decision, fetchRequest, sendDecision } from './login-requests.ts';
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

/** A login that has begun. */
export interface Journey {
  readonly user: User;
  readonly state: string;
  /** Whether the login app asks to remember login and consent. */
  readonly remember: boolean;
  /** Whether the user must be known already. */
  readonly skip: boolean;
  /** Where the browser is: the page of a login app, or the link by which it returns to the provider. */
  page: string;
  code?: Code;
  tokens?: Tokens;
}

type Step = (journey: Journey) => Promise<void>;

/** Each method throws for any answer but the right one. */
export interface Logins {
  /**
   * The eight requests of a login, in order and by name: three visits of a browser that keeps its cookies, a login app that
   * fetches and accepts two requests, and the client's redemption of the code.
   */
  readonly steps: ReadonlyMap<string, Step>;
  /** The first login of a new user, with all steps done before the one of this name. */
  before(step: string): Promise<Journey>;
  /** The first login of a new user, from the authorization request to the tokens. */
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
  close(): void;
}

const random = (): string => randomBytes(16).toString('base64url');

const newUser = (): User => ({ subject: random(), cookies: new Map() });

/** Connections that the users of several issuers at one address share. */
export interface LoginPools {
  readonly publicly: HttpPool;
  readonly admin: HttpPool;
}

interface StepsOptions {
  readonly kind: LoginKind;
  readonly pools: LoginPools;
}

/** The steps of a browser and a login app up to the authorization response. */
const openSteps = (target: Endpoints, client: Client, { kind, pools }: StepsOptions) => {
  const { publicly: publicPool, admin: adminPool } = pools;
  const fixed = new URLSearchParams({
    client_id: client.id,
    response_type: 'code',
    scope: 'openid offline_access',
    redirect_uri: redirectUri,
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
    ...kind.parameters,
  }).toString();
  const begin = (user: User, how: Pick<Journey, 'remember' | 'skip'>): Journey => {
    const state = random();
    const page = `${target.publicUrl}/oauth2/auth?${fixed}&state=${state}&nonce=${random()}`;
    return { user, state, page, ...how };
  };
  let codes = 0;
  const visitPage: Step = async (journey) => {
    journey.page = await visit(publicPool, journey.user.cookies, journey.page);
  };
  const fetchPage =
    (what: Decision['what']): Step =>
    ({ page, skip }) =>
      fetchRequest(adminPool, page, { what, skip });
  const decide = async (journey: Journey, decision: Decision): Promise<void> => {
    journey.page = await sendDecision(adminPool, journey.page, decision);
  };
  /** @throws Error for the response to another request */
  const visitRedirect = async ({ user, page, state }: Journey): Promise<URLSearchParams> => {
    const response = await visitClient(publicPool, user.cookies, page);
    if (response.get('state') !== state) throw new Error('the response has another state');
    return response;
  };
  const acceptLogin: Step = (journey) => {
    const { user, remember } = journey;
    return decide(journey, {
      what: 'login',
      body: { subject: user.subject, ...kind.login, ...(remember && { remember }) },
    });
  };
  const acceptConsent: Step = (journey) => {
    const { remember } = journey;
    const body = { grant_scope: ['openid', 'offline_access'], ...kind.consent, ...(remember && { remember }) };
    return decide(journey, { what: 'consent', body });
  };
  return {
    begin,
    steps: {
      'visit-request': visitPage,
      ...(kind.isMounted
        ? { 'login-page': visitPage }
        : { 'fetch-login': fetchPage('login'), 'accept-login': acceptLogin }),
      'visit-login': visitPage,
      ...(kind.isMounted
        ? { 'consent-page': visitPage }
        : { 'fetch-consent': fetchPage('consent'), 'accept-consent': acceptConsent }),
      'visit-consent': async (journey: Journey) => {
        const code = (await visitRedirect(journey)).get('code') ?? '';
        journey.code = { code, key: kind.keys?.[codes++ % kind.keys.length] };
      },
    },
    async refuse(journey: Journey): Promise<void> {
      const body = { error: 'access_denied', error_description: 'The user denied the request.' };
      await decide(journey, { what: 'consent', verb: 'reject', body });
      const response = await visitRedirect(journey);
      if (response.get('error') !== 'access_denied') {
        throw new Error(`the client received ${response}, not access_denied`);
      }
    },
    close() {
      publicPool.close();
      adminPool.close();
    },
  };
};

export const openLoginPools = ({ publicUrl, adminUrl }: Endpoints, connections: number): LoginPools => ({
  publicly: openHttpPool(publicUrl, connections),
  admin: openHttpPool(adminUrl, connections),
});

/** `shared`: the connections to use. Default: some of its own. */
export const openLogins = (
  target: Endpoints,
  client: Client,
  connections: number,
  kind: LoginKind = {},
  shared?: LoginPools,
): Logins => {
  const toCode = openSteps(target, client, { kind, pools: shared ?? openLoginPools(target, connections) });
  const pool = shared?.publicly;
  const tokenRequests = openTokenRequests(target, client, { connections, codeVerifier, kind, pool });
  const redeem = ({ code, key }: Code): Promise<Tokens> => tokenRequests.redeem(code, key);
  const steps: ReadonlyMap<string, Step> = new Map<string, Step>([
    ...Object.entries(toCode.steps),
    [
      'redeem',
      async (journey) => {
        journey.tokens = await redeem(journey.code as Code);
      },
    ],
  ]);
  const first = { remember: kind.isRemembered ?? false, skip: false };
  const begin = (user = newUser(), how = first): Journey => toCode.begin(user, how);
  /** Does all steps before the one of this name; without a name, all. */
  const walk = async (journey: Journey, end?: string): Promise<Journey> => {
    for (const [name, step] of steps) {
      if (name === end) break;
      await step(journey);
    }
    return journey;
  };
  const authorize = async (): Promise<Code> => (await walk(begin(), 'redeem')).code as Code;
  const tokensOf = async (journey: Journey): Promise<Tokens> => (await walk(journey)).tokens as Tokens;

  return {
    steps,
    before: (step) => walk(begin(), step),
    run: () => tokensOf(begin()),
    async remember() {
      const user = newUser();
      await tokensOf(begin(user, { remember: true, skip: false }));
      return user;
    },
    comeBack: (user) => tokensOf(begin(user, { remember: false, skip: true })),
    refuse: async () => toCode.refuse(await walk(begin(), 'accept-consent')),
    authorize,
    redeem,
    async startRefreshing() {
      const code = await authorize();
      return { token: (await redeem(code)).refresh_token, key: code.key };
    },
    async refresh({ token, key }) {
      return { token: (await tokenRequests.refresh(token, key)).refresh_token, key };
    },
    close() {
      toCode.close();
      tokenRequests.close();
    },
  };
};
