import { openMemoryAdapter } from '@carnet/adapter-memory';
import { describe, expect, test } from 'vitest';
import { type Browser, createBrowser, locationOf } from '../browser.ts';
import { adminClients, postForm, refusal, userinfo } from '../call.ts';
import { basicOf, redirectUri, registerClient, type TestClient } from '../clients.ts';
import { deviceMetadata, letIn, newCodes, poll } from '../device.ts';
import { type Instance, start } from '../harness.ts';
import {
  acceptConsent,
  acceptLogin,
  authorizationUrl,
  begin,
  challengeIn,
  codeFor,
  codeIn,
  credentialsFor,
  headless,
  introspect,
  type Json,
  push,
  pushedUrl,
  redeem,
  refresh,
} from '../login.ts';
import { startLogoutReceiver } from '../logout-receiver.ts';
import { acceptLogout, logoutUrl } from '../sign-out.ts';
import { startTwoClocks, type TwoClocks } from '../two-clocks.ts';

const hours = 3_600_000;

/** Two processes on one store and one issuer, whose clocks are so far apart; one after the other, as they share a port. */
const replayAfter = async (clockErrorMs: number) => {
  const adapter = openMemoryAdapter();
  let instance: Instance = await start({ adapter });
  const port = Number(new URL(instance.issuer).port);
  const restart = async (now?: () => number) => {
    await instance.stop();
    instance = await start({ adapter, port, now });
    // The first request may still try a connection to the one before.
    await fetch(`${instance.issuer}/health/alive`).catch(() => undefined);
  };
  const client = await registerClient(instance, 'confidential');
  const code = await codeFor(instance, client);
  await restart(() => Date.now() + clockErrorMs);
  const redeemed = await redeem(instance, client, code);
  await restart();
  const replayed = await redeem(instance, client, code);
  await instance.stop();
  return { redeemed, replayed };
};

test('a code that was redeemed by a process whose clock is hours behind is used for all the others', async () => {
  const { redeemed, replayed } = await replayAfter(-4 * hours);
  expect(redeemed.status).toBe(200);
  expect(replayed).toMatchObject(refusal('invalid_grant'));
});

type Node = 'first' | 'second';

const metadata = {
  redirect_uris: [redirectUri],
  grant_types: ['authorization_code', 'refresh_token', 'client_credentials', ...deviceMetadata.grant_types],
  scope: 'openid offline_access profile',
};
const grantScope = { grant_scope: ['openid', 'offline_access', 'profile'] };

const register = async (nodes: TwoClocks, more: Json): Promise<TestClient> => {
  const client = { id: 'app', secret: 'a secret of the client, long enough' };
  const sent = { client_id: client.id, client_secret: client.secret, ...metadata, ...more };
  expect((await adminClients(nodes, 'POST', '', sent)).status).toBe(201);
  return client;
};

const isActive = async (nodes: TwoClocks, value: unknown) => (await introspect(nodes, value)).active;

/** What each flow is given: `one` answers its first step, `other` the next. */
interface Walk {
  readonly at: (node: Node) => TwoClocks;
  readonly one: Node;
  readonly other: Node;
  readonly client: TestClient;
  readonly browser: Browser;
}

const useNewClient = async ({ at, one, other, client }: Walk) => {
  const own = await credentialsFor(at(other), client);
  expect(own.status).toBe(200);
  for (const node of [one, other]) expect(await isActive(at(node), own.body.access_token)).toBe(true);
};

const signIn = async ({ at, one, other, client, browser }: Walk): Promise<Json> => {
  const decision = { subject: 'alice', remember: true };
  const loggedIn = await acceptLogin(at(other), await begin(browser, authorizationUrl(at(one), client)), decision);
  at(one);
  const challenge = challengeIn(await browser.get(loggedIn), 'consent');
  const back = await acceptConsent(at(other), challenge, { ...grantScope, remember: true });
  at(one);
  const code = codeIn(locationOf(await browser.get(back)));
  const { status, body } = await redeem(at(other), client, code);
  expect(status).toBe(200);
  return body;
};

const useTokens = async ({ at, one, other }: Walk, { access_token, refresh_token }: Json) => {
  for (const node of [one, other]) {
    expect([await isActive(at(node), access_token), await isActive(at(node), refresh_token)]).toEqual([true, true]);
    expect((await userinfo(at(node), access_token)).status).toBe(200);
  }
};

const refreshAndRetry = async ({ at, one, other, client }: Walk, { refresh_token }: Json) => {
  const refreshed = await refresh(at(one), client, refresh_token);
  const retried = await refresh(at(other), client, refresh_token);
  expect([refreshed.status, retried.status]).toEqual([200, 200]);
  expect(retried.body.refresh_token).toBe(refreshed.body.refresh_token);
  expect((await refresh(at(other), client, refreshed.body.refresh_token)).status).toBe(200);
};

const signInRemembered = async ({ at, one, other, client, browser }: Walk) => {
  const challenge = await begin(browser, authorizationUrl(at(other), client));
  const asked = await headless(at(one), 'GET', `login?login_challenge=${challenge}`);
  expect(asked.body).toMatchObject({ skip: true, subject: 'alice' });
  const loggedIn = await acceptLogin(at(one), challenge, { subject: 'alice' });
  at(other);
  const consentChallenge = challengeIn(await browser.get(loggedIn), 'consent');
  expect((await headless(at(one), 'GET', `consent?consent_challenge=${consentChallenge}`)).body.skip).toBe(true);
};

const pushRequest = async ({ at, one, other, client }: Walk) => {
  const pushed = await push(at(one), client);
  expect(pushed.status).toBe(201);
  expect(await begin(createBrowser(), pushedUrl(at(other), client, pushed))).toBeTruthy();
};

const letDeviceIn = async ({ at, one, other, client }: Walk): Promise<Json> => {
  const codes = await newCodes(at(one), client);
  expect((await letIn(at(other), codes)).status).toBe(302);
  const { status, body } = await poll(at(one), client, codes.device_code);
  expect(status).toBe(200);
  expect(await isActive(at(other), body.access_token)).toBe(true);
  return body;
};

const revoke = async ({ at, one, other, client }: Walk, { access_token, refresh_token }: Json) => {
  const url = `${at(other).issuer}/oauth2/revoke`;
  expect((await postForm(url, { token: String(refresh_token) }, basicOf(client))).status).toBe(200);
  for (const node of [one, other]) expect(await isActive(at(node), access_token)).toBe(false);
};

const signOut = async ({ at, one, other, client, browser }: Walk) => {
  const confirmed = await acceptLogout(at(other), await browser.get(logoutUrl(at(one))));
  at(one);
  expect((await browser.get(confirmed)).status).toBeLessThan(400);
  const challenge = await begin(browser, authorizationUrl(at(other), client));
  expect((await headless(at(one), 'GET', `login?login_challenge=${challenge}`)).body.skip).toBe(false);
};

describe.each([
  { direction: 'ahead', secondsAhead: 30 },
  { direction: 'behind', secondsAhead: -30 },
])('two processes on one store, the clock of the second 30 seconds $direction', ({ secondsAhead }) => {
  test.each([
    { one: 'first', other: 'second' },
    { one: 'second', other: 'first' },
  ] as const)(
    'serve each flow together: the $one process begins it, the $other process continues',
    async (order) => {
      const nodes = await startTwoClocks(secondsAhead);
      const receiver = await startLogoutReceiver();
      const at = (node: Node): TwoClocks => {
        nodes.use(node);
        return nodes;
      };
      const client = await register(at(order.one), { backchannel_logout_uri: receiver.url });
      const walk: Walk = { at, ...order, client, browser: createBrowser() };
      await useNewClient(walk);
      const tokens = await signIn(walk);
      await useTokens(walk, tokens);
      await refreshAndRetry(walk, tokens);
      await signInRemembered(walk);
      await pushRequest(walk);
      await revoke(walk, await letDeviceIn(walk));
      await signOut(walk);
      await receiver.until(1);
      await Promise.all([nodes.close(), receiver.close()]);
    },
    60_000,
  );
});
