import { decodeJwt } from 'jose';
import * as oidc from 'openid-client';
import { describe, expect, it } from 'vitest';
import { registerBeforeTests, startBeforeTests } from '../before-tests.ts';
import { createBrowser, locationOf } from '../browser.ts';
import { registerClient } from '../clients.ts';
import { start } from '../harness.ts';
import {
  acceptLogin,
  authorizationUrl,
  begin,
  challengeIn,
  decideAll,
  headless,
  introspect,
  type Json,
  login,
} from '../login.ts';
import { connect, prepare } from '../relying-party.ts';

const types = {
  payment: { required: ['amount', 'to'], optional: ['account', 'locations'] },
  account: { required: ['actions'], optional: ['locations'], actions: ['read', 'list'] },
};
const payment = { type: 'payment', amount: { currency: 'EUR', value: '12.50' }, to: 'shop' };
const account = { type: 'account', actions: ['read', 'list'], locations: ['https://bank.test/'] };

const instance = startBeforeTests({ config: { features: { rar: { enabled: true, types } } } });
const client = registerBeforeTests(instance, 'app');

const asking = (...details: readonly unknown[]) => ({ authorization_details: JSON.stringify(details) });

/** From the authorization request to the consent app: what it is asked. */
const askConsent = async (params: Record<string, string>): Promise<{ challenge: string; body: Json }> => {
  const browser = createBrowser();
  const first = await begin(browser, authorizationUrl(instance, client, params));
  const toConsent = await acceptLogin(instance, first, { subject: 'alice' });
  const challenge = challengeIn(await browser.get(toConsent), 'consent');
  return { challenge, body: (await headless(instance, 'GET', `consent?consent_challenge=${challenge}`)).body };
};

const accept = (challenge: string, granted: unknown) =>
  headless(instance, 'PUT', `consent/accept?consent_challenge=${challenge}`, {
    grant_scope: ['openid'],
    grant_authorization_details: granted,
  });

const tokensFor = (requested: readonly unknown[], granted?: readonly unknown[]): Promise<Json> =>
  login(instance, client, { params: asking(...requested), consent: { grant_authorization_details: granted } });

describe('authorization_details (RFC 9396)', () => {
  it('go through a whole login of openid-client, pushed, and come back with the tokens', async () => {
    const config = await connect(instance, client);
    expect(config.serverMetadata().authorization_details_types_supported).toEqual(['payment', 'account']);
    const { url, checks } = await prepare(config, asking(payment, account));
    const pushed = await oidc.buildAuthorizationUrlWithPAR(config, new URL(url).searchParams);
    const browser = createBrowser();
    const consent = { grant_authorization_details: [payment, account] };
    const end = await browser.get(await decideAll(instance, browser, await begin(browser, pushed.href), { consent }));
    const tokens = await oidc.authorizationCodeGrant(config, locationOf(end), checks);
    expect(tokens.authorization_details).toEqual([payment, account]);
    const refreshed = await oidc.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect(refreshed.authorization_details).toEqual([payment, account]);
    expect(await introspect(instance, refreshed.access_token)).toMatchObject({
      active: true,
      authorization_details: [payment, account],
    });
  });

  it('stand in JWT access tokens', async () => {
    const jwts = await registerClient(instance, 'jwt', { access_token_strategy: 'jwt' });
    const consent = { grant_authorization_details: [payment] };
    const tokens = await login(instance, jwts, { params: asking(payment), consent });
    expect(decodeJwt(String(tokens.access_token)).authorization_details).toEqual([payment]);
    expect((await introspect(instance, tokens.access_token)).authorization_details).toEqual([payment]);
  });

  it('are shown to the consent app, and no member is there for a request without them', async () => {
    const { body } = await askConsent(asking(payment));
    expect(body.requested_authorization_details).toEqual([payment]);
    expect((await askConsent({})).body).not.toHaveProperty('requested_authorization_details');
  });

  it('are narrowed by its answer, or filled in with what only the person knows', async () => {
    const narrow = { ...account, actions: ['read'] };
    expect((await tokensFor([payment, account], [narrow])).authorization_details).toEqual([narrow]);
    const chosen = { ...payment, account: 'DE02' };
    expect((await tokensFor([payment], [chosen])).authorization_details).toEqual([chosen]);
  });

  it('are not granted by a consent app that says nothing of them', async () => {
    const tokens = await tokensFor([payment]);
    expect(tokens.access_token).toBeDefined();
    expect(tokens).not.toHaveProperty('authorization_details');
    expect(await introspect(instance, tokens.access_token)).not.toHaveProperty('authorization_details');
  });

  it.each<[string, unknown]>([
    ['another amount', { ...payment, amount: { currency: 'EUR', value: '99999' } }],
    ['another receiver', { ...payment, to: 'mallory' }],
    ['a type that was not asked for', account],
    ['a list that was not asked for', { ...payment, locations: ['https://elsewhere.test/'] }],
    ['less than the type needs', { type: 'payment', to: 'shop' }],
    ['a member that is unknown', { ...payment, extra: true }],
  ])('can not be granted beyond the request: %s', async (_, granted) => {
    const { challenge } = await askConsent(asking(payment));
    expect(await accept(challenge, [granted])).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });

  it('can not be granted more often than they were asked for', async () => {
    const { challenge } = await askConsent(asking(payment));
    expect((await accept(challenge, [payment, payment])).status).toBe(400);
    const twice = await askConsent(asking(payment, { ...payment, account: 'DE02' }));
    // The first fits both, the second only one of them.
    const chosen = { ...payment, account: 'DE02' };
    expect((await accept(twice.challenge, [chosen, { ...payment, account: 'DE03' }])).status).toBe(200);
    const third = await askConsent(asking(payment, chosen));
    expect((await accept(third.challenge, [chosen, chosen, payment])).status).toBe(400);
  });

  it('are the same whatever the order of their members', async () => {
    const { challenge } = await askConsent(asking(payment));
    const { currency, value } = payment.amount;
    const reordered = { to: payment.to, amount: { value, currency }, type: payment.type };
    expect((await accept(challenge, [reordered])).status).toBe(200);
  });

  it('the consent app cannot grant unrequested authorization_details', async () => {
    const { challenge } = await askConsent(asking({ ...account, actions: ['read'] }));
    expect((await accept(challenge, [account])).status).toBe(400);
  });

  it('are asked about each time: no remembered consent covers them', async () => {
    const browser = createBrowser();
    const remembering = { login: { remember: true }, consent: { remember: true } };
    await login(instance, client, { browser, ...remembering });
    const skipOf = async (params: Record<string, string>) => {
      const first = await begin(browser, authorizationUrl(instance, client, params));
      const next = await acceptLogin(instance, first, { subject: 'alice' });
      const challenge = challengeIn(await browser.get(next), 'consent');
      return (await headless(instance, 'GET', `consent?consent_challenge=${challenge}`)).body.skip;
    };
    expect(await skipOf({})).toBe(true);
    expect(await skipOf(asking(payment))).toBe(false);
  });
});

describe('what is refused as invalid_authorization_details', () => {
  const errorOf = async (text: string, to = client): Promise<string | null> => {
    const url = authorizationUrl(instance, to, { authorization_details: text });
    return locationOf(await createBrowser().get(url)).searchParams.get('error');
  };

  it.each([
    ['no JSON', '{'],
    ['no list', JSON.stringify(payment)],
    ['a member that is there twice', '[{"type":"payment","to":"shop","amount":"1","amount":"9999"}]'],
    ['a number', '[1]'],
    ['null', '[null]'],
    ['no type', '[{}]'],
    ['an unknown type', '[{"type":"other"}]'],
    ['a type of every object', '[{"type":"constructor"}]'],
    ['a member too many', JSON.stringify([{ ...payment, iban: 'x' }])],
    ['a member too few', JSON.stringify([{ type: 'payment', to: 'shop' }])],
    ['actions that are none', JSON.stringify([{ type: 'account', actions: ['delete'] }])],
    ['actions that are no list', JSON.stringify([{ type: 'account', actions: 'read' }])],
    ['more than anybody needs', JSON.stringify(Array.from({ length: 21 }, () => payment))],
  ])('%s', async (_, text) => {
    expect(await errorOf(text)).toBe('invalid_authorization_details');
  });

  it('a type that is not the client’s', async () => {
    const limited = await registerClient(instance, 'limited', { authorization_details_types: ['account'] });
    expect(await errorOf(JSON.stringify([payment]), limited)).toBe('invalid_authorization_details');
    expect(await errorOf(JSON.stringify([account]), limited)).toBeNull();
  });
});

it('off, the parameter means nothing, as with any unknown one', async () => {
  const other = await start();
  const plain = await registerClient(other, 'plain');
  const tokens = await login(other, plain, { params: asking({ type: 'anything' }) });
  expect(tokens.access_token).toBeDefined();
  expect(tokens).not.toHaveProperty('authorization_details');
  await other.stop();
});
