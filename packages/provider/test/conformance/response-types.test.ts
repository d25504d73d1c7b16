import { describe, expect, test } from 'vitest';
import { startInTest } from '../before-tests.ts';
import { discovery } from '../call.ts';
import { registerClient } from '../clients.ts';
import { start } from '../harness.ts';
import { redeem } from '../login.ts';
import { answer, answeringBeforeTests, ask, claimsOf, everyType, halfHash } from './answers.ts';

const always = ['iss', 'scope', 'state'];
const token = ['access_token', 'expires_in', 'token_type'];

describe('OAuth 2.0 Multiple Response Type Encoding Practices', () => {
  const { instance, client } = answeringBeforeTests();

  test.each([
    ['code', 'query', ['code']],
    ['id_token', 'fragment', ['id_token']],
    ['id_token token', 'fragment', ['id_token', ...token]],
    ['code id_token', 'fragment', ['code', 'id_token']],
    ['code token', 'fragment', ['code', ...token]],
    ['code id_token token', 'fragment', ['code', 'id_token', ...token]],
  ])('2.1, 3, 5 %s: answered in the %s, with %o', async (response_type, mode, members) => {
    const { params, ...where } = await answer(instance, client, { response_type });
    expect(where).toEqual({ mode, status: 303 });
    expect(Object.keys(params).toSorted()).toEqual([...members, ...always].toSorted());
    if (params.token_type) expect([params.token_type, params.expires_in]).toEqual(['Bearer', '3600']);
  });

  test('2 the order of the words of a response type says nothing', async () => {
    const { params } = await answer(instance, client, { response_type: 'token id_token code' });
    expect(Object.keys(params)).toEqual(expect.arrayContaining(['code', 'id_token', 'access_token']));
  });

  test.each(['id_token', 'code id_token', 'code token', 'id_token token', 'code id_token token'])(
    '2.1, 3, 5 %s is never answered in the query: the request is refused',
    async (response_type) => {
      const { params } = await ask(instance, client, { response_type, response_mode: 'query', state: 'mine' });
      expect(params).toMatchObject({ error: 'invalid_request', state: 'mine', iss: instance.issuer });
      expect(params).not.toHaveProperty('id_token');
    },
  );

  test('2.1 response_mode chooses another way: code in the fragment, or in a form', async () => {
    const { mode, params } = await answer(instance, client, { response_mode: 'fragment', state: 'a "b" <c>' });
    expect([mode, params.state, params.iss]).toEqual(['fragment', 'a "b" <c>', instance.issuer]);
    expect((await redeem(instance, client, params.code ?? '')).status).toBe(200);
    expect((await answer(instance, client, { response_mode: 'form_post' })).mode).toBe('form_post');
  });

  test('2.1 a response_mode that is not known is refused', async () => {
    const { params } = await ask(instance, client, { response_mode: 'carrier_pigeon' });
    expect(params.error).toBe('unsupported_response_mode');
  });

  test('5 an error travels where the answer would have: in the fragment', async () => {
    const { mode, params } = await ask(instance, client, { response_type: 'code id_token', prompt: 'none' });
    expect([mode, params.error]).toEqual(['fragment', 'login_required']);
    const rejected = await answer(instance, client, { response_type: 'code token' }, { consent: { grant_scope: [] } });
    expect([rejected.mode, rejected.params.error]).toEqual(['fragment', 'access_denied']);
  });

  test('3 id_token alone brings no access token, and asks for nothing of the store but that it happens once', async () => {
    instance.calls.reset();
    const { params } = await answer(instance, client, { response_type: 'id_token' });
    expect(instance.calls.commits.flat().map(({ type }) => type)).toEqual(['claim']);
    expect((await claimsOf(instance, client, params.id_token)).at_hash).toBeUndefined();
  });

  test('5 code, ID token and access token come in one commit, which begins with what makes them single', async () => {
    instance.calls.reset();
    const { params } = await answer(instance, client, { response_type: 'code id_token token' });
    const [writes = [], ...more] = instance.calls.commits;
    expect(more).toEqual([]);
    expect(writes.map((write) => `${write.type}:${'record' in write && write.record.kind}`)).toEqual([
      'claim:replay',
      'put:access_token',
      'put:grant',
    ]);
    expect((await redeem(instance, client, params.code ?? '')).status).toBe(200);
    const claims = await claimsOf(instance, client, params.id_token);
    expect(claims).toMatchObject({
      at_hash: halfHash(params.access_token ?? ''),
      c_hash: halfHash(params.code ?? ''),
      s_hash: halfHash(params.state ?? ''),
    });
  });

  test('a client gets what it is registered for, and no other type', async () => {
    const plain = await registerClient(instance, 'code-only', { grant_types: everyType.grant_types });
    const { mode, params } = await ask(instance, plain, { response_type: 'id_token' });
    expect([mode, params.error]).toEqual(['fragment', 'unsupported_response_type']);
    // Without its grant type a response type is nothing (OpenID Connect Registration 1.0, section 2).
    const mute = await registerClient(instance, 'no-implicit', { response_types: everyType.response_types });
    expect((await ask(instance, mute, { response_type: 'code token' })).params.error).toBe('unsupported_response_type');
    expect((await answer(instance, mute, {})).params.code).toBeTruthy();
  });

  test.each(['hybrid', 'implicit'] as const)(
    '%s and FAPI 2.0 can not both be on; one problem says so',
    async (name) => {
      const features = { fapi: { enabled: true }, [name]: { enabled: true } };
      const error = await start({ config: { features } }).catch((cause: unknown) => cause);
      const { problems } = error as { readonly problems: readonly string[] };
      expect(problems.filter((problem) => problem.includes('response type'))).toEqual([
        `features.${name}.enabled: is on, and FAPI 2.0 allows the response type code only (5.3.2.2). Set FEATURES_${name.toUpperCase()} to false.`,
      ]);
    },
  );

  test('switched off, which they are by default, nobody gets them', async () => {
    const plain = await startInTest();
    const app = await registerClient(plain, 'app', everyType);
    expect((await ask(plain, app, { response_type: 'id_token' })).params.error).toBe('unsupported_response_type');
    expect((await answer(plain, app, {})).params.code).toBeTruthy();
    expect(await discovery(plain)).toMatchObject({ response_types_supported: ['code'] });
  });
});
