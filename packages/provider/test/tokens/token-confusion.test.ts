import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { registerBeforeTests, startBeforeTests } from '../before-tests.ts';
import { createBrowser, locationOf } from '../browser.ts';
import { userinfo } from '../call.ts';
import { registerClient, type TestClient } from '../clients.ts';
import { authorizationUrl, login, token } from '../login.ts';
import { logoutUrl } from '../sign-out.ts';

const exchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange';
const [opaque, jwt] = ['https://opaque.test', 'https://jwt.test'] as const;

/** RFC 8725, section 3.12: a token of one kind is refused where another kind is expected. */
describe('a token of another kind', () => {
  const instance = startBeforeTests({
    config: {
      features: { tokenExchange: { enabled: true } },
      resources: [
        { identifier: opaque, scope: 'openid profile' },
        { identifier: jwt, scope: 'openid profile', accessTokenStrategy: 'jwt' },
      ],
    },
  });

  test.each([opaque, jwt])(
    'a token for the resource %s is refused at userinfo, whatever its scope',
    async (resource) => {
      const client = await registerClient(instance, `for ${resource}`, { audience: [resource] });
      const consent = { grant_access_token_audience: [resource] };
      const { access_token, scope } = await login(instance, client, { params: { resource }, consent });
      expect(String(scope).split(' ')).toContain('openid');
      expect((await userinfo(instance, access_token)).status).toBe(401);
    },
  );

  test('a JWT for an audience that is no resource is accepted at userinfo', async () => {
    const client = await registerClient(instance, 'audience', { audience: [jwt], access_token_strategy: 'jwt' });
    const consent = { grant_access_token_audience: [jwt] };
    const { access_token } = await login(instance, client, { params: { audience: jwt }, consent });
    expect(decodeJwt(String(access_token)).aud).toEqual([jwt]);
    expect((await userinfo(instance, access_token)).status).toBe(200);
  });

  describe('userinfo that is signed', () => {
    const client: TestClient = registerBeforeTests(instance, 'signed', {
      userinfo_signed_response_alg: 'ES256',
      grant_types: ['authorization_code', 'refresh_token', exchangeGrant],
    });
    const signedUserinfo = async () => {
      const { access_token, id_token } = await login(instance, client);
      return { response: String((await userinfo(instance, access_token)).body.text), idToken: String(id_token) };
    };
    const exchange = async (subject_token: string): Promise<number> => {
      const subject_token_type = 'urn:ietf:params:oauth:token-type:id_token';
      const params = { grant_type: exchangeGrant, subject_token, subject_token_type };
      return (await token(instance, client, params)).status;
    };

    test('a signed userinfo response is not exchanged as an ID token', async () => {
      const { response, idToken } = await signedUserinfo();
      expect([await exchange(idToken), await exchange(response)]).toEqual([200, 400]);
    });

    test('a signed userinfo response is refused as the id_token_hint of a request and of a logout', async () => {
      const { response, idToken } = await signedUserinfo();
      const errorFor = async (id_token_hint: string) => {
        const browser = createBrowser();
        const asked = await browser.get(authorizationUrl(instance, client, { id_token_hint, prompt: 'none' }));
        const out = await browser.get(logoutUrl(instance, { id_token_hint }));
        return [locationOf(asked).searchParams.get('error'), out.status];
      };
      expect(await errorFor(idToken)).toEqual(['login_required', 200]);
      expect(await errorFor(response)).toEqual(['invalid_request', 302]);
    });
  });
});
