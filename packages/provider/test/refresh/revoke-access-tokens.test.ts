import { beforeTests } from '@carnet/test-servers/before-tests';
import { beforeAll, describe, expect, test } from 'vitest';
import { userinfo } from '../call.ts';
import { registerClient } from '../clients.ts';
import { start } from '../harness.ts';
import { createSdk, refusal } from '../hydra-client/sdk.ts';
import { credentialsFor, introspect, login, refresh } from '../login.ts';

describe.each(['opaque', 'jwt'])('all access tokens of a client, %s, revoked at once', (access_token_strategy) => {
  let oauth2: ReturnType<typeof createSdk>['oauth2'];
  const instance = beforeTests(() => {
    // A clock that stands still: no time tells the tokens before from those after. The clients are registered by the real
    // one, which must not have come to the next second before it.
    const now = Date.now() + 5_000;
    return start({ now: () => now });
  });
  beforeAll(() => {
    ({ oauth2 } = createSdk(instance));
  });

  const isActive = async (value: unknown) => (await introspect(instance, value)).active;

  test('are dead, those issued right after live, and refresh tokens live on', async () => {
    const client = await registerClient(instance, `all-${access_token_strategy}`, { access_token_strategy });
    const other = await registerClient(instance, `other-${access_token_strategy}`, { access_token_strategy });
    const tokens = await login(instance, client);
    const own = (await credentialsFor(instance, client)).body.access_token;
    const foreign = (await credentialsFor(instance, other)).body.access_token;
    const states = async () => [
      await isActive(tokens.access_token),
      await isActive(own),
      (await userinfo(instance, tokens.access_token)).status,
    ];
    expect(await states()).toEqual([true, true, 200]);
    expect((await oauth2.deleteOAuth2Token({ clientId: client.id })).status).toBe(204);
    expect(await states()).toEqual([false, false, 401]);
    expect([await isActive(foreign), await isActive(tokens.refresh_token)]).toEqual([true, true]);

    const after = (await credentialsFor(instance, client)).body.access_token;
    const refreshed = (await refresh(instance, client, tokens.refresh_token)).body;
    expect([await isActive(after), await isActive(refreshed.access_token)]).toEqual([true, true]);
    expect((await userinfo(instance, refreshed.access_token)).status).toBe(200);

    await oauth2.deleteOAuth2Token({ clientId: client.id });
    expect([await isActive(after), await isActive(refreshed.access_token)]).toEqual([false, false]);
  });

  test('need a client to be named; one that is not there has none', async () => {
    expect((await refusal(oauth2.deleteOAuth2Token({ clientId: '' }))).status).toBe(400);
    expect((await oauth2.deleteOAuth2Token({ clientId: 'nobody' })).status).toBe(204);
  });
});
