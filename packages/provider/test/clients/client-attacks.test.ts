import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { clientKey } from '../../src/clients/client-record.ts';
import { startBeforeTests } from '../before-tests.ts';
import { createBrowser } from '../browser.ts';
import { adminClients, refusal, userinfo } from '../call.ts';
import { redirectUri } from '../clients.ts';
import { askConsent, codeFor, credentialsFor, introspect, type Json, login, redeem, refresh } from '../login.ts';

const api = 'https://api.test';
const metadata = {
  client_id: 'app',
  client_secret: 'the secret of the first owner',
  redirect_uris: [redirectUri],
  grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
  scope: 'openid offline_access profile payroll',
  audience: [api],
};
const client = { id: 'app', secret: metadata.client_secret };
const grant_scope = ['openid', 'offline_access', 'payroll'];
const params = { scope: grant_scope.join(' '), audience: api };
const consent = { grant_scope, grant_access_token_audience: [api], remember: true };

/** How the first owner's client came about, and how far the clock has moved when the id is registered again. */
const origins = [
  { origin: 'whose id is registered again 30 seconds earlier by the clock', isOld: false, laterMs: -30_000 },
  { origin: 'from before clients had a registration id', isOld: true, laterMs: 2_000 },
];
const cases = ['opaque', 'jwt'].flatMap((strategy) => origins.map((origin) => ({ strategy, ...origin })));

describe.each(cases)('with $strategy access tokens, of a client $origin', ({ strategy, isOld, laterMs }) => {
  const access_token_strategy = strategy;
  const instance = startBeforeTests({
    now: () => Date.now(),
    config: { clientSecrets: { bcryptCost: 4 }, clientCache: { seconds: 0 } },
  });

  const admin = async (method: string, path: string, body?: unknown): Promise<number> =>
    (await adminClients(instance, method, path, body)).status;
  const register = async (changes: Json = {}) =>
    expect(await admin('POST', '', { ...metadata, access_token_strategy, ...changes })).toBe(201);
  const isActive = async (value: unknown) => (await introspect(instance, value)).active;
  const newCode = () => codeFor(instance, client, { params, consent });

  /** Makes the stored client what an earlier release would have stored. */
  const forgetRegistration = async () => {
    const key = clientKey('app');
    const [stored] = await instance.adapter.read([key]);
    const { registration, ...payload } = JSON.parse(stored?.payload ?? '{}');
    expect(registration).toEqual(expect.any(String));
    const record = { ...key, clientId: 'app', expiresAt: null, payload: JSON.stringify(payload) };
    await instance.adapter.commit([{ type: 'put', record }]);
  };

  beforeEach(async () => {
    await register();
    if (isOld) await forgetRegistration();
  });
  afterEach(async () => {
    expect(await admin('DELETE', '/app')).toBe(204);
    vi.useRealTimers();
  });

  describe('a client that was deleted', () => {
    const browser = createBrowser();
    let tokens: Json;
    let ownToken: unknown;
    let code: string;

    beforeEach(async () => {
      tokens = await login(instance, client, { browser, params, consent, login: { remember: true } });
      ownToken = (await credentialsFor(instance, client, { scope: 'payroll' })).body.access_token;
      code = await newCode();
      for (const value of [tokens.access_token, tokens.refresh_token, ownToken])
        expect(await isActive(value)).toBe(true);
      expect(await admin('DELETE', '/app')).toBe(204);
    });

    const expectInactive = async () => {
      for (const value of [tokens.access_token, tokens.refresh_token, ownToken]) {
        expect(await introspect(instance, value)).toEqual({ active: false });
      }
    };
    /** Another owner registers the id. */
    const registerAnew = async () => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + laterMs });
      await register({ client_secret: 'the secret of the second owner' });
      return { id: 'app', secret: 'the secret of the second owner' };
    };

    test('leaves no token behind that is worth anything', async () => {
      await expectInactive();
      expect((await userinfo(instance, tokens.access_token)).status).toBe(401);
      await register();
    });

    test('leaves none either to whoever takes tokens once its id is registered again', async () => {
      await registerAnew();
      await expectInactive();
    });

    test('leaves no code and no refresh token to a client registered under its id', async () => {
      const heir = await registerAnew();
      expect(await redeem(instance, heir, code)).toMatchObject(refusal('invalid_grant'));
      expect(await refresh(instance, heir, tokens.refresh_token)).toMatchObject(refusal('invalid_grant'));
    });

    test('leaves nobody’s remembered consent to a client registered under its id', async () => {
      const heir = await registerAnew();
      expect((await askConsent(instance, heir, { browser, params })).skip).toBe(false);
    });

    test('a client registered under the id of the deleted one works', async () => {
      const heir = await registerAnew();
      const own = await login(instance, heir, { params, consent });
      expect(await isActive(own.access_token)).toBe(true);
      expect((await refresh(instance, heir, own.refresh_token)).status).toBe(200);
    });
  });

  describe('a scope and an audience that were taken from a client', () => {
    const narrow = async () => {
      const rest = { access_token_strategy, scope: 'openid offline_access', audience: [] };
      expect(await admin('PUT', '/app', { ...metadata, ...rest })).toBe(200);
    };
    const expectNarrow = async ({ status, body }: { status: number; body: Json }) => {
      expect([status, String(body.scope).split(' ').toSorted()]).toEqual([200, ['offline_access', 'openid']]);
      const told = await introspect(instance, body.access_token);
      expect(told).toMatchObject({ active: true, client_id: 'app' });
      expect(String(told.scope)).not.toContain('payroll');
      expect(told.aud).not.toContain(api);
    };

    test('a refresh token of an earlier grant cannot obtain the withdrawn scope and audience', async () => {
      const before = await login(instance, client, { params, consent });
      expect(await introspect(instance, before.access_token)).toMatchObject({ scope: params.scope, aud: [api] });
      await narrow();
      await expectNarrow(await refresh(instance, client, before.refresh_token));
    });

    test('a code of an earlier grant cannot obtain the withdrawn scope and audience', async () => {
      const code = await newCode();
      await narrow();
      await expectNarrow(await redeem(instance, client, code));
    });
  });

  test('a client that proves nothing of itself can’t be registered for tokens of its own, nor be made so', async () => {
    const open = { ...metadata, client_id: 'open', client_secret: undefined, token_endpoint_auth_method: 'none' };
    expect(await admin('POST', '', open)).toBe(400);
    expect(await admin('PUT', '/app', { ...open, client_id: 'app' })).toBe(400);
    const change = [{ op: 'replace', path: '/token_endpoint_auth_method', value: 'none' }];
    expect(await admin('PATCH', '/app', change)).toBe(400);
  });
});
