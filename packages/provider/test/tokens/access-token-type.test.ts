import { decodeProtectedHeader } from 'jose';
import { describe, expect, it } from 'vitest';
import { registerBeforeTests, startBeforeTests } from '../before-tests.ts';
import { userinfo } from '../call.ts';
import { authorizationUrl, errorAt, introspect, login, token } from '../login.ts';
import { logoutUrl } from '../sign-out.ts';

const exchange = 'urn:ietf:params:oauth:grant-type:token-exchange';
const tokenType = (name: string): string => `urn:ietf:params:oauth:token-type:${name}`;

const instance = startBeforeTests({
  config: {
    tokens: { accessTokenStrategy: 'jwt', accessTokenType: 'JWT' },
    features: { tokenExchange: { enabled: true } },
  },
});
const plain = registerBeforeTests(instance, 'plain', {
  grant_types: ['authorization_code', 'refresh_token', exchange],
});
const strict = registerBeforeTests(instance, 'strict', { access_token_type: 'at+jwt' });
const selfNamed = registerBeforeTests(instance, 'self-named', { audience: ['self-named'] });

const typeOf = (jwt: unknown): unknown => decodeProtectedHeader(String(jwt)).typ;

describe('tokens.accessTokenType', () => {
  it('the setting is the typ header of JWT access tokens, unless the client registers the other', async () => {
    expect(typeOf((await login(instance, plain)).access_token)).toBe('JWT');
    expect(typeOf((await login(instance, strict)).access_token)).toBe('at+jwt');
  });

  it('JWT makes tokens that introspection and userinfo accept', async () => {
    const { access_token: accessToken } = await login(instance, plain);
    expect(await introspect(instance, accessToken)).toMatchObject({ active: true, token_use: 'access_token' });
    expect((await userinfo(instance, accessToken)).status).toBe(200);
  });

  it('JWT makes no ID token an access token, even with the claims of one', async () => {
    const session = { id_token: { client_id: 'plain', jti: 'a.b', scope: 'openid', scp: ['openid'], typ: 'JWT' } };
    const { id_token: idToken } = await login(instance, plain, { consent: { session } });
    expect(await introspect(instance, idToken)).toEqual({ active: false });
    expect((await userinfo(instance, idToken)).status).toBe(401);
  });

  it('JWT makes no access token an ID token', async () => {
    const { access_token: accessToken } = await login(instance, selfNamed, {
      params: { audience: 'self-named' },
      consent: { grant_access_token_audience: ['self-named'] },
    });
    const hint = { id_token_hint: String(accessToken) };
    expect(await errorAt(logoutUrl(instance, hint))).toBe('invalid_request');
    expect(await errorAt(authorizationUrl(instance, selfNamed, hint))).toBe('invalid_request');
    const { access_token: own } = await login(instance, plain);
    const exchanged = await token(instance, plain, {
      grant_type: exchange,
      subject_token: String(own),
      subject_token_type: tokenType('id_token'),
    });
    expect(exchanged.body.error).toBe('invalid_request');
  });
});
