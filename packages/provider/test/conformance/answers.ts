import { createHash } from 'node:crypto';
import { createRemoteJWKSet, type JWTPayload, jwtVerify } from 'jose';
import { type Browser, createBrowser, locationOf } from '../browser.ts';
import { redirectUri, registerClient, type TestClient } from '../clients.ts';
import { type Instance, type StartOptions, start } from '../harness.ts';
import { acceptConsent, acceptLogin, authorizationUrl, begin, challengeIn, type Decisions } from '../login.ts';

/** An authorization response: where its parameters stood, and what they are. */
export interface Answer {
  readonly mode: 'query' | 'fragment' | 'form_post';
  readonly status: number;
  readonly params: Readonly<Record<string, string>>;
}

const unescaped = (text: string): string =>
  text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

const formIn = (page: string): Record<string, string> => {
  if (!page.includes(`<form method="post" action="${redirectUri}">`)) throw new Error('no form for the client');
  const inputs = page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g);
  return Object.fromEntries([...inputs].map(([, name = '', value = '']) => [name, unescaped(value)]));
};

export const answerIn = async (response: Response): Promise<Answer> => {
  const { status } = response;
  if (response.headers.get('location') === null) {
    return { mode: 'form_post', status, params: formIn(await response.text()) };
  }
  const { href, hash, search } = locationOf(response);
  if (!href.startsWith(redirectUri)) throw new Error(`not at the client but at ${href}`);
  if (hash !== '' && search !== '') throw new Error('parameters in query and fragment');
  return hash === ''
    ? { mode: 'query', status, params: Object.fromEntries(new URLSearchParams(search)) }
    : { mode: 'fragment', status, params: Object.fromEntries(new URLSearchParams(hash.slice(1))) };
};

export type Params = Readonly<Record<string, string>>;

/** What is answered at once, before anybody is asked. */
export const ask = async (instance: Instance, client: TestClient, params: Params): Promise<Answer> =>
  answerIn(await createBrowser().get(authorizationUrl(instance, client, params)));

export interface AnswerOptions extends Decisions {
  readonly browser?: Browser;
}

/** A whole authorization, answered to the client. */
export const answer = async (
  instance: Instance,
  client: TestClient,
  params: Params,
  { browser = createBrowser(), ...decisions }: AnswerOptions = {},
): Promise<Answer> => {
  const challenge = await begin(browser, authorizationUrl(instance, client, params));
  const { subject = 'alice', login, consent } = decisions;
  const response = await browser.get(await acceptLogin(instance, challenge, { subject, ...login }));
  const isOver = response.headers.get('location')?.includes('consent_challenge=') !== true;
  if (isOver) return answerIn(response);
  return answerIn(await browser.get(await acceptConsent(instance, challengeIn(response, 'consent'), consent)));
};

/** The claims of an ID token, its signature and what names its parties verified as a client has to. */
export const claimsOf = async (
  { issuer }: Pick<Instance, 'issuer'>,
  client: TestClient,
  idToken: unknown,
): Promise<JWTPayload> => {
  const keys = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`));
  return (await jwtVerify(String(idToken), keys, { issuer, audience: client.id })).payload;
};

/** `at_hash`, `c_hash`: the left half of the hash of ES256 and RS256. */
export const halfHash = (value: string): string =>
  createHash('sha256').update(value).digest().subarray(0, 16).toString('base64url');

export const allOn = { implicit: { enabled: true }, hybrid: { enabled: true } };

/** A client that may ask for every response type. */
export const everyType = {
  grant_types: ['authorization_code', 'refresh_token', 'implicit', 'client_credentials'],
  response_types: ['code', 'id_token', 'token id_token', 'code id_token', 'code token', 'code token id_token'],
};

/** A provider with every response type, and a client registered for them all. */
export const startAnswering = async (
  options: StartOptions = {},
  metadata: Readonly<Record<string, unknown>> = {},
): Promise<{ readonly instance: Instance; readonly client: TestClient }> => {
  const instance = await start({ ...options, config: { features: allOn, ...options.config } });
  return { instance, client: await registerClient(instance, 'every-type', { ...everyType, ...metadata }) };
};
