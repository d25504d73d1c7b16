import { createHash } from 'node:crypto';
import { createRemoteJWKSet, type JWTPayload, jwtVerify } from 'jose';
import { registerBeforeTests, startBeforeTests, startInTest } from '../before-tests.ts';
import { createBrowser, locationOf } from '../browser.ts';
import type { Json } from '../call.ts';
import { redirectUri, registerClient, type TestClient } from '../clients.ts';
import type { Instance, StartOptions } from '../harness.ts';
import {
  type AuthorizeOptions,
  acceptConsent,
  acceptLogin,
  authorizationUrl,
  begin,
  challengeIn,
  type Params,
} from '../login.ts';

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

/** What is answered at once, before anybody is asked. */
export const ask = async (instance: Instance, client: TestClient, params: Params): Promise<Answer> =>
  answerIn(await createBrowser().get(authorizationUrl(instance, client, params)));

/** A whole authorization, answered to the client. */
export const answer = async (
  instance: Instance,
  client: TestClient,
  params: Params,
  { browser = createBrowser(), subject = 'alice', login, consent }: AuthorizeOptions = {},
): Promise<Answer> => {
  const challenge = await begin(browser, authorizationUrl(instance, client, params));
  const response = await browser.get(await acceptLogin(instance, challenge, { subject, ...login }));
  if (!response.headers.get('location')?.includes('consent_challenge=')) return answerIn(response);
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

const answering = (options: StartOptions): StartOptions => ({
  ...options,
  config: { features: allOn, ...options.config },
});

/** A provider with every response type, and a client registered for them all. */
export const answeringBeforeTests = (options: StartOptions = {}, metadata: Json = {}) => {
  const instance = startBeforeTests(answering(options));
  return { instance, client: registerBeforeTests(instance, 'every-type', { ...everyType, ...metadata }) };
};

/** The same in a test. */
export const startAnswering = async (options: StartOptions) => {
  const instance = await startInTest(answering(options));
  return { instance, client: await registerClient(instance, 'every-type', everyType) };
};
