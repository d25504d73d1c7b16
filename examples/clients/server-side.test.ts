import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import * as authJs from './src/auth-js.ts';
import * as expressOpenidConnect from './src/express-openid-connect.ts';
import * as openidClient from './src/openid-client.ts';
import * as passportOpenidconnect from './src/passport-openidconnect.ts';
import { type Stack, startStack } from './stack.ts';
import { createUser, jsonOf } from './user.ts';

const claims = { name: 'Alice Example', email: 'alice@app.test' };

describe('with the registration of docs/guides/clients.md and its defaults', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack();
  });
  afterAll(() => stack?.[Symbol.asyncDispose]());

  test('openid-client signs in, reads userinfo, refreshes and logs out', async () => {
    const { origin } = await stack.startApplication('openid-client', openidClient.createApp);
    const user = createUser();
    const first = jsonOf(await user.open(`${origin}/login`)) as Record<string, unknown>;
    expect(first).toMatchObject({ sub: 'alice', iss: stack.issuer, ...claims });
    expect(jsonOf(await user.open(`${origin}/userinfo`))).toMatchObject({ sub: 'alice', ...claims });
    const refreshed = jsonOf(await user.open(`${origin}/refresh`)) as Record<string, unknown>;
    expect(refreshed).toMatchObject({ sub: 'alice', sid: first.sid });
    expect(refreshed.jti).not.toBe(first.jti);
    const end = await user.open(`${origin}/logout`);
    expect([end.status, end.url]).toEqual([401, `${origin}/`]);
  });

  test('passport-openidconnect signs in with the profile of the user, and logs out', async () => {
    const { origin } = await stack.startApplication('passport-openidconnect', passportOpenidconnect.createApp);
    const user = createUser();
    expect(jsonOf(await user.open(`${origin}/login`))).toMatchObject({
      id: 'alice',
      displayName: claims.name,
      emails: [{ value: claims.email }],
    });
    expect(await user.open(`${origin}/logout`)).toMatchObject({ status: 401, url: `${origin}/` });
  });

  test('Auth.js signs in with name and email, and signs out', async () => {
    const { origin } = await stack.startApplication('Auth.js', authJs.createApp);
    const user = createUser();
    const submit = async (path: string) => {
      const { csrfToken } = jsonOf(await user.open(`${origin}/auth/csrf`)) as { csrfToken: string };
      return user.submit(origin + path, { csrfToken, callbackUrl: origin });
    };
    expect(jsonOf(await submit('/auth/signin/carnet'))).toMatchObject(claims);
    expect(await submit('/auth/signout')).toMatchObject({ status: 401 });
  });

  test('express-openid-connect signs in with a code, reads userinfo, refreshes and logs out', async () => {
    const { origin } = await stack.startApplication('express-openid-connect', expressOpenidConnect.createApp);
    const user = createUser();
    expect(jsonOf(await user.open(`${origin}/login`))).toMatchObject({ sub: 'alice', ...claims });
    expect(jsonOf(await user.open(`${origin}/userinfo`))).toMatchObject({ sub: 'alice', ...claims });
    expect(jsonOf(await user.open(`${origin}/refresh`))).toMatchObject({ sub: 'alice', ...claims });
    expect(new URL((await user.open(`${origin}/logout`)).url).origin).toBe(origin);
  });

  test('express-openid-connect ends its session when an administrator ends the session at the provider', async () => {
    const { origin } = await stack.startApplication('express-openid-connect', expressOpenidConnect.createApp);
    const user = createUser();
    const first = jsonOf(await user.open(`${origin}/login`)) as Record<string, unknown>;
    const sessions = `${stack.admin}/admin/oauth2/auth/sessions/login?sid=${first.sid}`;
    expect((await fetch(sessions, { method: 'DELETE' })).status).toBe(204);
    await vi.waitFor(async () => {
      // The application asks the provider again.
      expect(jsonOf(await user.open(origin))).toMatchObject({
        sub: 'alice',
        sid: expect.not.stringMatching(`${first.sid}`),
      });
    }, 30_000);
  });
});

test('express-openid-connect without a secret signs in by an ID token in a form, over https', async () => {
  await using stack = await startStack({ features: { implicit: { enabled: true } } });
  const baseUrl = 'https://app.example.com';
  const section = 'express-openid-connect without a secret';
  const { origin } = await stack.startApplication(section, expressOpenidConnect.createImplicitApp, baseUrl);
  const user = createUser({ [baseUrl]: origin });
  const form = await user.open(`${baseUrl}/login`);
  expect(form.text).toContain(`action="${baseUrl}/callback"`);
  const fields = [...form.text.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]);
  const page = await user.submit(`${baseUrl}/callback`, Object.fromEntries(fields));
  expect(jsonOf(page)).toMatchObject({ sub: 'alice', ...claims });
});
