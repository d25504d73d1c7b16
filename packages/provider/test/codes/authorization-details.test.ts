import { decodeJwt } from 'jose';
import * as oidc from 'openid-client';
import { describe, expect, it } from 'vitest';
import { registerBeforeTests, startBeforeTests, startInTest } from '../before-tests.ts';
import { createBrowser } from '../browser.ts';
import { refusal } from '../call.ts';
import { registerClient } from '../clients.ts';
import { askConsent, authorizationUrl, authorizeAt, errorAt, headless, introspect, logIn, login } from '../login.ts';
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

/** The answer to a consent app that grants details to a request for others. */
const accept = async (requested: Record<string, string>, granted: readonly unknown[]) => {
  const challenge = await logIn(instance, client, { params: requested });
  return headless(instance, 'PUT', `consent/accept?consent_challenge=${challenge}`, {
    grant_scope: ['openid'],
    grant_authorization_details: granted,
  });
};

const tokensFor = (requested: readonly unknown[], granted?: readonly unknown[]) =>
  login(instance, client, { params: asking(...requested), consent: { grant_authorization_details: granted } });

describe('authorization_details (RFC 9396)', () => {
  it('go through a whole login of openid-client, pushed, and come back with the tokens', async () => {
    const config = await connect(instance, client);
    expect(config.serverMetadata().authorization_details_types_supported).toEqual(['payment', 'account']);
    const { url, checks } = await prepare(config, asking(payment, account));
    const pushed = await oidc.buildAuthorizationUrlWithPAR(config, new URL(url).searchParams);
    const consent = { grant_authorization_details: [payment, account] };
    const tokens = await oidc.authorizationCodeGrant(
      config,
      await authorizeAt(instance, pushed.href, { consent }),
      checks,
    );
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
    const asked = await askConsent(instance, client, { params: asking(payment) });
    expect(asked.requested_authorization_details).toEqual([payment]);
    expect(await askConsent(instance, client)).not.toHaveProperty('requested_authorization_details');
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
    expect(await accept(asking(payment), [granted])).toMatchObject(refusal('invalid_request'));
  });

  it('can not be granted more often than they were asked for', async () => {
    expect((await accept(asking(payment), [payment, payment])).status).toBe(400);
    // The first fits both, the second only one of them.
    const chosen = { ...payment, account: 'DE02' };
    const both = asking(payment, chosen);
    expect((await accept(both, [chosen, { ...payment, account: 'DE03' }])).status).toBe(200);
    expect((await accept(both, [chosen, chosen, payment])).status).toBe(400);
  });

  it('are the same whatever the order of their members', async () => {
    const { currency, value } = payment.amount;
    const reordered = { to: payment.to, amount: { value, currency }, type: payment.type };
    expect((await accept(asking(payment), [reordered])).status).toBe(200);
  });

  it('the consent app cannot grant unrequested authorization_details', async () => {
    expect((await accept(asking({ ...account, actions: ['read'] }), [account])).status).toBe(400);
  });

  it('are asked about each time: no remembered consent covers them', async () => {
    const browser = createBrowser();
    await login(instance, client, { browser, login: { remember: true }, consent: { remember: true } });
    expect((await askConsent(instance, client, { browser })).skip).toBe(true);
    expect((await askConsent(instance, client, { browser, params: asking(payment) })).skip).toBe(false);
  });
});

describe('what is refused as invalid_authorization_details', () => {
  const errorOf = (text: string, to = client): Promise<string | null> =>
    errorAt(authorizationUrl(instance, to, { authorization_details: text }));

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
  const other = await startInTest();
  const plain = await registerClient(other, 'plain');
  const tokens = await login(other, plain, { params: asking({ type: 'anything' }) });
  expect(tokens.access_token).toBeDefined();
  expect(tokens).not.toHaveProperty('authorization_details');
});
