import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Endpoints } from '../targets/target.ts';
import { type Cookies, visit, visitClient } from '../users/browser.ts';
import { decide } from '../users/login-requests.ts';
import { type Client, redirectUri } from '../users/register-client.ts';
import { type OnFailure, openClient, RequestFailure } from './http-client.ts';
import type { AuditQuestions, Ledger } from './ledger.ts';

const codeVerifier = randomBytes(32).toString('base64url');
const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
const form = { 'content-type': 'application/x-www-form-urlencoded' };

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

/** The step that follows a login. */
export const journeyNames = ['login', 'second redemption', 'refresh', 'revocation', 'logout'] as const;
export type JourneyName = (typeof journeyNames)[number];

export interface Journeys {
  /** Notes in the ledger what was acknowledged. @throws RequestFailure at the first request that fails */
  run(name: JourneyName): Promise<void>;
  readonly questions: AuditQuestions;
  /** Codes whose redemption was not answered, and that were used up when they were sent again. */
  codesWithUnknownOutcome(): number;
  close(): void;
}

const retryMs = 1_000;
const mostRetries = 30;

/** Whether trying again may help. */
const isTransient = (error: unknown): boolean => error instanceof RequestFailure && error.kind !== 'wrong';

/** Repeats what may be repeated until it is acknowledged. */
const untilAcknowledged = async (work: () => Promise<unknown>): Promise<void> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (!isTransient(error) || attempt === mostRetries) throw error;
      await pause(retryMs);
    }
  }
};

export interface JourneyOptions {
  readonly endpoints: Endpoints;
  readonly client: Client;
  readonly ledger: Ledger;
  readonly onFailure: OnFailure;
}

export const openJourneys = ({ endpoints, client, ledger, onFailure }: JourneyOptions): Journeys => {
  const { publicUrl, adminUrl } = endpoints;
  const [publicClient, adminClient] = [openClient(publicUrl, onFailure), openClient(adminUrl, onFailure)];
  let unknownOutcomes = 0;
  const authorization = new URLSearchParams({
    client_id: client.id,
    response_type: 'code',
    scope: 'openid offline_access',
    redirect_uri: redirectUri,
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
    state: 'a-state-of-22-letters.',
  }).toString();
  const begin = (cookies: Cookies) =>
    visit(publicClient, cookies, `${publicUrl}/oauth2/auth?${authorization}&nonce=${randomBytes(16).toString('hex')}`);

  const authorize = async (subject: string, cookies: Cookies, remember: boolean): Promise<string> => {
    const loginPage = await begin(cookies);
    const login = { what: 'login', body: { subject, remember }, skip: false } as const;
    const consentPage = await visit(publicClient, cookies, await decide(adminClient, loginPage, login));
    const consent = { what: 'consent', body: { grant_scope: ['openid', 'offline_access'] }, skip: false } as const;
    return (
      (await visitClient(publicClient, cookies, await decide(adminClient, consentPage, consent))).get('code') ?? ''
    );
  };

  const post = async (path: string, parameters: Record<string, string>, ...expected: number[]) => {
    const body = new URLSearchParams({ ...parameters, client_id: client.id }).toString();
    return publicClient.send({ method: 'POST', path, headers: form, body }, ...expected);
  };
  const redeem = async (code: string): Promise<Tokens> => {
    const parameters = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: codeVerifier,
    };
    return JSON.parse((await post('/oauth2/token', parameters, 200)).body) as Tokens;
  };

  /** As a client does: after a 503 or a lost answer, the same code again. */
  const redeemPatiently = async (code: string): Promise<Tokens | undefined> => {
    try {
      return await redeem(code);
    } catch (error) {
      if (!isTransient(error)) throw error;
    }
    for (let attempt = 1; attempt <= mostRetries; attempt += 1) {
      await pause(retryMs);
      try {
        return await redeem(code);
      } catch (error) {
        if (isTransient(error)) continue;
        // The first attempt was carried out, and its answer was lost.
        if (error instanceof RequestFailure && error.status === 400) break;
        throw error;
      }
    }
    unknownOutcomes += 1;
    return undefined;
  };

  const login = async (remember = false) => {
    const subject = randomBytes(16).toString('base64url');
    const cookies: Cookies = new Map();
    const code = await authorize(subject, cookies, remember);
    const tokens = await redeemPatiently(code);
    if (tokens === undefined) return undefined;
    ledger.redeemed(code);
    ledger.issue(subject, tokens.access_token);
    return { subject, cookies, code, tokens };
  };
  type LoggedIn = NonNullable<Awaited<ReturnType<typeof login>>>;

  const after: Readonly<Record<JourneyName, (done: LoggedIn) => Promise<void>>> = {
    login: async () => {},
    'second redemption': async ({ code, tokens }) => {
      // It revokes the grant, acknowledged or not.
      ledger.forget(tokens.access_token);
      await redeem(code).then(
        () => ledger.redeemed(code),
        (error: unknown) => {
          if (!(error instanceof RequestFailure) || error.status !== 400) throw error;
        },
      );
    },
    async refresh({ subject, tokens }) {
      ledger.forget(tokens.access_token);
      const parameters = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
      const next = JSON.parse((await post('/oauth2/token', parameters, 200)).body) as Tokens;
      ledger.issue(subject, next.access_token);
    },
    async revocation({ tokens }) {
      ledger.forget(tokens.access_token);
      await untilAcknowledged(() => post('/oauth2/revoke', { token: tokens.refresh_token }, 200));
      ledger.revoke(tokens.access_token);
    },
    async logout({ subject, cookies, tokens }) {
      ledger.forget(tokens.access_token);
      const query = `?subject=${encodeURIComponent(subject)}`;
      const remove = (what: string) => () =>
        adminClient.send({ method: 'DELETE', path: `/admin/oauth2/auth/sessions/${what}` }, 204);
      await untilAcknowledged(remove(`login${query}`));
      ledger.endedSessions.push(cookies);
      await untilAcknowledged(remove(`consent${query}&all=true`));
      ledger.revoke(tokens.access_token);
    },
  };

  /** Two at once, on different processes as a rule. */
  const redeemTwice = async (): Promise<void> => {
    const code = await authorize(randomBytes(16).toString('base64url'), new Map(), false);
    const outcomes = await Promise.allSettled([redeem(code), redeem(code)]);
    for (const outcome of outcomes) if (outcome.status === 'fulfilled') ledger.redeemed(code);
    const failure = outcomes.find((each) => each.status === 'rejected' && each.reason.status !== 400);
    if (failure !== undefined) throw (failure as PromiseRejectedResult).reason;
  };

  let seconds = 0;
  return {
    async run(name) {
      // In every other journey the two redemptions are sent at the same time.
      if (name === 'second redemption' && seconds++ % 2 === 0) return redeemTwice();
      const done = await login(name === 'logout');
      if (done !== undefined) await after[name](done);
    },
    questions: {
      async isActive(token) {
        const body = new URLSearchParams({ token }).toString();
        const path = '/admin/oauth2/introspect';
        const answer = await adminClient.send({ method: 'POST', path, headers: form, body }, 200);
        return (JSON.parse(answer.body) as { active: boolean }).active;
      },
      async isSessionAlive(cookies) {
        const page = await begin(new Map(cookies));
        const path = `/admin/oauth2/auth/requests/login${page.slice(page.indexOf('?'))}`;
        const answer = await adminClient.send({ method: 'GET', path }, 200);
        return (JSON.parse(answer.body) as { skip: boolean }).skip;
      },
      redeemsAgain: (code) =>
        redeem(code).then(
          () => true,
          (error: unknown) => {
            if (error instanceof RequestFailure && error.status === 400) return false;
            throw error;
          },
        ),
    },
    codesWithUnknownOutcome: () => unknownOutcomes,
    close() {
      publicClient.close();
      adminClient.close();
    },
  };
};
