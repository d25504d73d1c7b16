import { createEnvelope } from '../src/flow/envelope.ts';
import { createKeyRing } from '../src/flow/key-ring.ts';
import type { Purpose } from '../src/flow/purposes.ts';
import { type Browser, createBrowser, locationOf } from './browser.ts';
import type { TestClient } from './clients.ts';
import { type Instance, testSecret } from './harness.ts';
import { acceptConsent, acceptLogin, authorizationUrl, challengeIn, type Decisions, type Endpoints } from './login.ts';

/** A flow that was walked to its last redirect, and everything that travelled on the way. */
export interface Walk {
  readonly browser: Browser;
  readonly loginChallenge: string;
  /** Where the login app has sent the browser. */
  readonly loginUrl: string;
  readonly consentChallenge: string;
  /** Where the consent app sends the browser: opening it ends the flow. */
  readonly consentUrl: string;
  /** The browser's cookies on the way, to be brought back later. */
  readonly cookies: ReadonlyMap<string, string>;
}

export interface WalkOptions extends Decisions {
  readonly browser?: Browser;
  readonly params?: Readonly<Record<string, string>>;
}

/** All of an authorization but its last redirect. */
export const walk = async (instance: Endpoints, client: TestClient, options: WalkOptions = {}): Promise<Walk> => {
  const { browser = createBrowser(), params, subject = 'alice', login, consent } = options;
  const loginChallenge = challengeIn(await browser.get(authorizationUrl(instance, client, params)), 'login');
  const loginUrl = await acceptLogin(instance, loginChallenge, { subject, ...login });
  const cookies = new Map(browser.cookies);
  const consentChallenge = challengeIn(await browser.get(loginUrl), 'consent');
  const consentUrl = await acceptConsent(instance, consentChallenge, consent);
  return { browser, loginChallenge, loginUrl, consentChallenge, consentUrl, cookies };
};

/** A browser with these cookies: an older state of one, or a copy. */
export const browserWith = (cookies: ReadonlyMap<string, string>): Browser => createBrowser(new Map(cookies));

/** The code that opening this URL ends with. */
export const codeAt = async (browser: Browser, url: string): Promise<string> => {
  const code = locationOf(await browser.get(url)).searchParams.get('code');
  if (code === null) throw new Error('the flow ended without a code');
  return code;
};

/** The verifier in a URL. */
export const verifierIn = (url: string): string => {
  const { searchParams } = new URL(url);
  return searchParams.get('login_verifier') ?? searchParams.get('consent_verifier') ?? '';
};

/** A URL of the issuer, at an instance of it that listens elsewhere. */
export const through = ({ issuer }: Pick<Instance, 'issuer'>, url: string): string => {
  const { pathname, search } = new URL(url);
  return new URL(issuer).origin + pathname + search;
};

/** What somebody who knows the secret could seal. */
export const sealerOf = (issuer: string, now = Date.now, secrets: readonly string[] = [testSecret]) => {
  const keys = createKeyRing({ issuer, secrets, now });
  const envelope = createEnvelope(keys);
  return { keys, seal: (purpose: Purpose, bytes: Uint8Array) => envelope.seal(purpose, bytes), open: envelope.open };
};

/** What a person gets to see where a flow can't go on, in one text to compare. */
export const pageOf = async (response: Response): Promise<string> => {
  const { status, headers } = response;
  const type = headers.get('content-type') ?? '';
  if (!type.startsWith('text/html')) throw new Error(`no page but ${status} ${type}`);
  if (headers.has('location')) throw new Error('a page that redirects');
  if (headers.has('set-cookie')) throw new Error('a page that sets a cookie');
  return `${status} ${await response.text()}`;
};

/** Where the page's link leads: "Start again". */
export const startAgainIn = (page: string): string => {
  const href = /<a href="([^"]+)"[^>]*>Start again</.exec(page)?.[1];
  if (href === undefined) throw new Error('no way to start again');
  return href.replaceAll('&amp;', '&');
};
