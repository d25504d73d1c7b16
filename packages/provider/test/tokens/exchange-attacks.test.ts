import * as oidc from 'openid-client';
import { beforeAll, describe, expect, test } from 'vitest';
import { createAssertionIssuer, trust } from '../assertions.ts';
import { registerBeforeTests, startBeforeTests } from '../before-tests.ts';
import { refusal } from '../call.ts';
import { registerClient } from '../clients.ts';
import { credentialsFor, introspect, type Json, login, token } from '../login.ts';
import { connect } from '../relying-party.ts';

const grantType = 'urn:ietf:params:oauth:grant-type:token-exchange';
const type = (name: string) => `urn:ietf:params:oauth:token-type:${name}`;

const instance = startBeforeTests({
  config: {
    features: { tokenExchange: { enabled: true } },
    oidc: {
      subjectIdentifiers: { supportedTypes: ['public', 'pairwise'], pairwise: { salt: 'a salt of the tests' } },
    },
  },
});
const service = registerBeforeTests(instance, 'service', {
  grant_types: [grantType, 'client_credentials'],
  scope: 'profile read openid',
  audience: ['service', 'private'],
});

const exchange = (params: Json, by = service) =>
  token(instance, by, {
    grant_type: grantType,
    subject_token_type: type('access_token'),
    ...(params as Record<string, string>),
  });
/** A login whose access token is for `service`. */
const forService = async (id: string, audience = 'service', more: Parameters<typeof login>[2] = {}): Promise<Json> =>
  login(instance, await registerClient(instance, id, { audience: ['service', 'private'], subject_type: 'pairwise' }), {
    params: { audience },
    ...more,
    consent: { grant_access_token_audience: [audience], ...more.consent },
  });
const own = async (): Promise<string> => String((await credentialsFor(instance, service)).body.access_token);

test('a token that is bound to a key is exchanged for one that is bound as well', async () => {
  const config = await connect(instance, service);
  const DPoP = oidc.getDPoPHandle(config, await oidc.randomDPoPKeyPair('ES256'));
  const bound = await oidc.clientCredentialsGrant(config, {}, { DPoP });
  const params = { subject_token: bound.access_token, subject_token_type: type('access_token') };
  expect(await exchange(params)).toMatchObject(refusal('invalid_request'));
  const again = await oidc.genericGrantRequest(config, grantType, params, { DPoP });
  expect((await introspect(instance, again.access_token)).cnf).toEqual({ jkt: expect.any(String) });
});

describe('a token that is for a named actor', () => {
  const issuers = Promise.all([
    createAssertionIssuer('https://partner.test'),
    createAssertionIssuer('https://evil.test'),
  ]);
  beforeAll(async () => {
    for (const issuer of await issuers) expect((await trust(instance, issuer)).status).toBe(201);
  });
  const acted = async (mayAct: unknown, actor: Json) => {
    const [partner] = await issuers;
    const subject_token = await partner.sign(instance.issuer, { may_act: mayAct });
    return (await exchange({ subject_token, subject_token_type: type('jwt'), ...actor })).status;
  };
  const signed = async (which: 0 | 1, claims: Json): Promise<Json> => ({
    actor_token: await (await issuers)[which].sign(instance.issuer, claims),
    actor_token_type: type('jwt'),
  });

  test('an actor of the same name from another issuer is refused', async () => {
    expect(await acted({ sub: 'service' }, await signed(1, { sub: 'service' }))).toBe(400);
    expect(await acted({ sub: 'service' }, await signed(0, { sub: 'service' }))).toBe(200);
    const named = { sub: 'service', iss: 'https://partner.test' };
    expect(await acted(named, await signed(0, { sub: 'service' }))).toBe(200);
    expect(await acted(named, { actor_token: await own(), actor_token_type: type('access_token') })).toBe(400);
  });

  test.each([[null], [{}], [[]], ['service'], [{ sub: 1 }]])(
    'every actor is refused when the claim is %j',
    async (mayAct) => {
      for (const sub of ['undefined', 'service', '1']) expect(await acted(mayAct, await signed(0, { sub }))).toBe(400);
      expect(await acted(mayAct, {})).toBe(400);
    },
  );

  test('a claim that the consent app sets is enforced too', async () => {
    const session = { access_token: { may_act: { sub: 'somebody' } } };
    const { access_token } = await forService('bound', 'service', { consent: { session } });
    const actor = { actor_token: await own(), actor_token_type: type('access_token') };
    expect((await exchange({ subject_token: access_token })).status).toBe(400);
    expect((await exchange({ subject_token: access_token, ...actor })).status).toBe(400);
  });

  test('the token and its actor are two assertions, each used once', async () => {
    const [partner] = await issuers;
    const sign = () => partner.sign(instance.issuer);
    const [used, fresh] = [await sign(), await sign()];
    const jwt = { subject_token_type: type('jwt'), actor_token_type: type('jwt') };
    const errorOf = async (params: Json) => (await exchange({ ...jwt, ...params })).body.error;
    expect(await errorOf({ subject_token: used, actor_token: used })).toBe('invalid_request');
    expect(await errorOf({ subject_token: used, actor_token: await sign() })).toBeUndefined();
    expect(await errorOf({ subject_token: used, actor_token: fresh })).toBe('invalid_grant');
    expect(await errorOf({ subject_token: fresh, actor_token: used })).toBe('invalid_grant');
    expect(await errorOf({ subject_token: fresh, actor_token: await sign() })).toBeUndefined();
  });
});

test('a chain of actors ends', async () => {
  let { access_token } = await forService('chained');
  const actor = { actor_token: await own(), actor_token_type: type('access_token') };
  const statuses: number[] = [];
  for (let i = 0; i < 12; i++) {
    const { status, body } = await exchange({ subject_token: access_token, ...actor });
    statuses.push(status);
    access_token = body.access_token ?? access_token;
  }
  expect(statuses).toEqual([...Array(10).fill(200), 400, 400]);
});

describe('an exchanged token', () => {
  test('the token is revoked with the client whose token was exchanged, and with its registration', async () => {
    const { access_token } = await forService('deleted');
    const { body } = await exchange({ subject_token: access_token });
    expect(await introspect(instance, body.access_token)).toMatchObject({ active: true, sub: 'alice' });
    await fetch(`${instance.admin}/admin/clients/deleted`, { method: 'DELETE' });
    expect(await introspect(instance, body.access_token)).toEqual({ active: false });
    expect((await exchange({ subject_token: body.access_token })).status).toBe(400);
  });

  test('names nobody by the name that was forced for another client', async () => {
    const by = await registerClient(instance, 'private', {
      grant_types: [grantType],
      subject_type: 'pairwise',
      redirect_uris: ['https://private.test/cb'],
    });
    const forced = { force_subject_identifier: 'known-as-this-to-app' };
    const { access_token } = await forService('forced', 'private', { login: forced });
    expect(await introspect(instance, access_token)).toMatchObject({ obfuscated_subject: 'known-as-this-to-app' });
    const { body } = await exchange({ subject_token: access_token }, by);
    expect(await introspect(instance, body.access_token)).toMatchObject({
      sub: 'alice',
      obfuscated_subject: expect.stringMatching(/^[\da-f]{64}$/),
    });
  });
});
