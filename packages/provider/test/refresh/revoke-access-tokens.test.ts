import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { registerClient } from '../clients.ts';
import { type Instance, start } from '../harness.ts';
import { createSdk, refusal } from '../hydra-client/sdk.ts';
import { credentialsFor, introspect, login, refresh } from '../login.ts';

describe.each(['opaque', 'jwt'])('all access tokens of a client, %s, revoked at once', (access_token_strategy) => {
  let instance: Instance;
  let oauth2: ReturnType<typeof createSdk>['oauth2'];

  beforeAll(async () => {
    // A clock that stands still: no time tells the tokens before from those after. The clients are registered by the real
    // one, which must not have come to the next second before it.
    const now = Date.now() + 5_000;
    instance = await start({ now: () => now });
    ({ oauth2 } = createSdk(instance));
  });
  afterAll(() => instance.stop());

  const isActive = async (value: unknown) => (await introspect(instance, value)).active;
  const userinfo = async (value: unknown) =>
    (await fetch(`${instance.issuer}/userinfo`, { headers: { authorization: `Bearer ${value}` } })).status;

  test('are dead, those issued right after live, and refresh tokens live on', async () => {
    const client = await registerClient(instance, `all-${access_token_strategy}`, { access_token_strategy });
    const other = await registerClient(instance, `other-${access_token_strategy}`, { access_token_strategy });
    const tokens = await login(instance, client);
    const own = (await credentialsFor(instance, client)).body.access_token;
    const foreign = (await credentialsFor(instance, other)).body.access_token;
    expect([await isActive(tokens.access_token), await isActive(own), await userinfo(tokens.access_token)]).toEqual([
      true,
      true,
      200,
    ]);
    expect((await oauth2.deleteOAuth2Token({ clientId: client.id })).status).toBe(204);
    expect([await isActive(tokens.access_token), await isActive(own), await userinfo(tokens.access_token)]).toEqual([
      false,
      false,
      401,
    ]);
    expect([await isActive(foreign), await isActive(tokens.refresh_token)]).toEqual([true, true]);

    const after = (await credentialsFor(instance, client)).body.access_token;
    const refreshed = (await refresh(instance, client, tokens.refresh_token)).body;
    expect([await isActive(after), await isActive(refreshed.access_token)]).toEqual([true, true]);
    expect(await userinfo(refreshed.access_token)).toBe(200);

    await oauth2.deleteOAuth2Token({ clientId: client.id });
    expect([await isActive(after), await isActive(refreshed.access_token)]).toEqual([false, false]);
  });

  test('need a client to be named; one that is not there has none', async () => {
    expect((await refusal(oauth2.deleteOAuth2Token({ clientId: '' }))).status).toBe(400);
    expect((await oauth2.deleteOAuth2Token({ clientId: 'nobody' })).status).toBe(204);
  });
});
