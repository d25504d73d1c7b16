import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { basicOf, registerClient, type TestClient } from '../clients.ts';
import { type CountedKind, countFigures, figureOf } from '../count-figures.ts';
import { type Counter, type Counts, type Exchange, type Exchanged, openCounter } from '../counted-exchange.ts';
import { type Instance, start } from '../harness.ts';
import { authorizationUrl, codeIn, redemptionOf } from '../login.ts';

/** Each request so often; the fewest count, so that what happens beside one, or is done once, does not. */
const repetitions = 4;

const fewest = (all: readonly Counts[]): Counts =>
  all.reduce((some, other) => {
    const names = Object.keys(some) as (keyof Counts)[];
    return Object.fromEntries(names.map((name) => [name, Math.min(some[name], other[name])])) as unknown as Counts;
  });

/** What each kind of request takes, counted: what makes it slower shows here on every machine alike. */
describe('counts', () => {
  let instance: Instance;
  let counter: Counter;
  const counted = new Map<CountedKind, Counts[]>();

  const send = async (kind: CountedKind, exchange: Exchange, status = 200): Promise<Exchanged> => {
    const answer = await counter.send(exchange);
    expect([kind, answer.status, answer.body]).toEqual([kind, status, expect.anything()]);
    counted.set(kind, [...(counted.get(kind) ?? []), answer.counts]);
    return answer;
  };

  const form = (url: string, client: TestClient, params: Readonly<Record<string, string>>): Exchange => ({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...basicOf(client) },
    body: new URLSearchParams(params).toString(),
  });
  const tokenRequest = (client: TestClient, params: Readonly<Record<string, string>>): Exchange =>
    form(`${instance.issuer}/oauth2/token`, client, params);

  /** A browser's redirect: where to, and the cookies that it has then. */
  const visit = async (kind: CountedKind, url: string, cookie = '') => {
    const sent: Record<string, string> = cookie === '' ? {} : { cookie };
    const { headers } = await send(kind, { url, headers: sent }, kind === 'consent verifier' ? 303 : 302);
    const cookies = (headers['set-cookie'] ?? []).map((line) => line.slice(0, line.indexOf(';')));
    return { to: new URL(headers.location ?? ''), cookie: cookies.join('; ') };
  };

  const decide = async (what: 'login' | 'consent', to: URL, body: object): Promise<string> => {
    const base = `${instance.admin}/admin/oauth2/auth/requests/${what}`;
    await send(`${what} request`, { url: base + to.search });
    const headers = { 'content-type': 'application/json' };
    const accept = { method: 'PUT', url: `${base}/accept${to.search}`, headers, body: JSON.stringify(body) };
    return JSON.parse((await send(`accept ${what}`, accept)).body).redirect_to;
  };

  const login = async (client: TestClient): Promise<Record<string, string>> => {
    const atLogin = await visit('authorization request', authorizationUrl(instance, client));
    const loginUrl = await decide('login', atLogin.to, { subject: 'alice' });
    const atConsent = await visit('login verifier', loginUrl, atLogin.cookie);
    const granted = { grant_scope: ['openid', 'offline_access', 'profile'] };
    const consentUrl = await decide('consent', atConsent.to, granted);
    const atClient = await visit('consent verifier', consentUrl, atConsent.cookie || atLogin.cookie);
    const redemption = redemptionOf(codeIn(atClient.to));
    return JSON.parse((await send('code', tokenRequest(client, redemption))).body);
  };

  const askAll = async (client: TestClient, jwtClient: TestClient): Promise<void> => {
    const tokens = await login(client);
    const bearer = { authorization: `Bearer ${tokens.access_token}` };
    await send('userinfo', { url: `${instance.issuer}/userinfo`, headers: bearer });
    const introspection = (token: string) => form(`${instance.admin}/admin/oauth2/introspect`, client, { token });
    await send('introspection', introspection(String(tokens.access_token)));
    const refreshing = { grant_type: 'refresh_token', refresh_token: String(tokens.refresh_token) };
    await send('refresh', tokenRequest(client, refreshing));
    const own = { grant_type: 'client_credentials', scope: 'profile' };
    await send('client_credentials', tokenRequest(client, own));
    const jwt = JSON.parse((await send('client_credentials, JWT', tokenRequest(jwtClient, own))).body);
    await send('introspection, JWT', introspection(jwt.access_token));
    await send('introspection, inactive', introspection(`${tokens.access_token}x`));
    await send('discovery', { url: `${instance.issuer}/.well-known/openid-configuration` });
    await send('JWKS', { url: `${instance.issuer}/.well-known/jwks.json` });
    await send('client', { url: `${instance.admin}/admin/clients/${client.id}` });
    await send('list of clients', { url: `${instance.admin}/admin/clients?page_size=10` });
  };

  beforeAll(async () => {
    instance = await start();
    counter = openCounter(instance);
    const client = await registerClient(instance, 'confidential');
    const jwtClient = await registerClient(instance, 'jwt-client', { access_token_strategy: 'jwt' });
    for (let turn = 0; turn < repetitions; turn += 1) await askAll(client, jwtClient);
  });
  afterAll(async () => {
    counter?.close();
    await instance?.stop();
  });

  test.each(Object.keys(countFigures) as CountedKind[])('%s takes no more than before', (kind) => {
    const now = fewest(counted.get(kind) ?? []);
    const names = Object.keys(now) as (keyof Counts)[];
    const worse = names.filter((name) => now[name] > figureOf(kind, name));
    expect(worse.map((name) => `${name}: ${now[name]} instead of ${figureOf(kind, name)}`)).toEqual([]);
    const better = names.filter((name) => now[name] < figureOf(kind, name));
    for (const name of better) {
      console.warn(`${kind}: only ${now[name]} ${name} now. Lower ${figureOf(kind, name)} in count-figures.ts.`);
    }
  });
});
