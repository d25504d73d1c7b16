import { setTimeout as pause } from 'node:timers/promises';
import { locationOf } from '../browser.ts';
import { postForm } from '../call.ts';
import { basicOf } from '../clients.ts';
import { authorizationUrl, introspect } from '../login.ts';
import { signOut } from '../sign-out.ts';
import type { ProviderProcess } from '../stores/provider-process.ts';
import { assertionUse, newTokens, redemption, refreshing, type TokenRequest } from '../stores/token-requests.ts';
import { clients } from '../threat-target.ts';
import { codeAt, walk } from '../walk.ts';
import { newCode, rememberLogin, type Stage } from './stage.ts';

/** Something that was used up or ended, and is tried once more. */
export interface Replay {
  readonly title: string;
  /** Answers `refused`, `unavailable`, or with what it has come to. */
  readonly attempt: (at: ProviderProcess) => Promise<string>;
}

const { app } = clients;

const refusals = new Set(['invalid_grant', 'invalid_client', 'login_required']);

const outcomeOf = (status: number, error: unknown): string => {
  if (status === 503) return 'unavailable';
  return refusals.has(String(error)) ? 'refused' : `${status} ${error}`;
};

const byToken = (title: string, request: TokenRequest): Replay => ({
  title,
  async attempt(at) {
    const { status, body } = await request(at);
    return outcomeOf(status, body.error);
  },
});

const usedCode = async (stage: Stage): Promise<Replay> => {
  const request = redemption(await newCode(stage, 'bob'));
  await request(stage.provider);
  return byToken('a code', request);
};

/** Its successor was used as well: no grace period applies. */
const rotatedToken = async ({ provider }: Stage): Promise<Replay> => {
  const tokens = await newTokens(provider);
  const { body: successor } = await refreshing(tokens)(provider);
  await refreshing(successor)(provider);
  return byToken('a refresh token', refreshing(tokens));
};

const usedAssertion = async ({ provider }: Stage): Promise<Replay> => {
  const request = await assertionUse();
  await request(provider);
  return byToken('the jti of a client assertion', request);
};

/** The last step of a flow whose consent was remembered. */
const usedVerifier = async ({ provider }: Stage): Promise<Replay> => {
  const decisions = { subject: 'bob', login: { remember: true }, consent: { remember: true } };
  const { browser, consentUrl: end } = await walk(provider, app, { browser: provider.browser(), ...decisions });
  const cookies = new Map(browser.cookies);
  await redemption(await codeAt(browser, end))(provider);
  return {
    title: 'the verifier of a remembered consent',
    async attempt(at) {
      const response = await at.browser(cookies).get(end);
      return response.status === 400 ? 'refused' : outcomeOf(response.status, response.headers.get('location'));
    },
  };
};

/** Whether a browser with these cookies is taken for one in which somebody is logged in. */
const loggedInWith = (cookies: ReadonlyMap<string, string>): Replay => ({
  title: 'the session of somebody who has logged out',
  async attempt(at) {
    const response = await at.browser(cookies).get(authorizationUrl(at, app, { prompt: 'none' }));
    if (response.status === 503) return 'unavailable';
    return outcomeOf(response.status, locationOf(response).searchParams.get('error'));
  },
});

const endedSession = async (stage: Stage): Promise<Replay> => {
  const { cookies } = await rememberLogin(stage, 'bob');
  const kept = new Map(cookies);
  await signOut(stage.provider, stage.provider.browser(cookies));
  return loggedInWith(kept);
};

const revokedToken = async ({ provider }: Stage): Promise<Replay> => {
  const { access_token } = await newTokens(provider);
  await postForm(`${provider.issuer}/oauth2/revoke`, { token: String(access_token) }, basicOf(app));
  return {
    title: 'an access token that was revoked',
    async attempt(at) {
      const { active, error } = await introspect(at, access_token);
      return active === false ? 'refused' : outcomeOf(error === undefined ? 200 : 503, error);
    },
  };
};

/** Uses up one of each. */
export const useUp = async (stage: Stage): Promise<readonly Replay[]> => [
  await usedCode(stage),
  await rotatedToken(stage),
  await usedAssertion(stage),
  await usedVerifier(stage),
  await endedSession(stage),
  await revokedToken(stage),
];

/** What comes of each, by its title. */
export const replayAll = async (at: ProviderProcess, replays: readonly Replay[]) =>
  Object.fromEntries(await Promise.all(replays.map(async ({ title, attempt }) => [title, await attempt(at)] as const)));

export const allOf = (outcome: string, replays: readonly Replay[]) =>
  Object.fromEntries(replays.map(({ title }) => [title, outcome]));

/** Between two rounds of attempts. Milliseconds. */
const rest = 50;

/** Tries all of them again and again. */
export const keepReplaying = (at: ProviderProcess, replays: readonly Replay[]) => {
  const outcomes = new Set<string>();
  let isOver = false;
  const run = async (): Promise<void> => {
    while (!isOver) {
      for (const outcome of Object.values(await replayAll(at, replays))) outcomes.add(outcome);
      await pause(rest);
    }
  };
  const running = run();
  return {
    /** Ends it; answers with every outcome there was. */
    async stop(): Promise<readonly string[]> {
      isOver = true;
      await running;
      return [...outcomes].toSorted();
    },
  };
};
