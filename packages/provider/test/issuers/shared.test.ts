import { bindAdapter, type StorageAdapter } from '@carnet/adapter-contract';
import { openMemoryAdapter } from '@carnet/adapter-memory';
import type { ConfigInput, MetricsSnapshot, SharedOptions } from '@carnet/provider';
import { openShared } from '@carnet/provider/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createBrowser } from '../browser.ts';
import { registerClient } from '../clients.ts';
import { faultyAdapter } from '../faulty-adapter.ts';
import { start, testKeys, testSecret } from '../harness.ts';
import { codeFor, introspect, login, redeem, refresh } from '../login.ts';
import { startLogoutReceiver } from '../logout-receiver.ts';
import { signOut, untilDelivered } from '../sign-out.ts';

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {}, fatal: () => {} };
const storedKeys: Partial<ConfigInput> = { keys: { source: 'store', idTokenAlg: 'ES256' } };

/** The resources of several issuers on one store, and a function that starts one of them. */
const openIssuers = async (adapter: StorageAdapter = openMemoryAdapter(), options: SharedOptions = {}) => {
  const config: ConfigInput = {
    dev: true,
    issuer: 'http://127.0.0.1',
    secrets: { system: [testSecret] },
    keys: { jwks: testKeys as never },
    logout: { backchannelPollSeconds: 1 },
  };
  const shared = await openShared(config, { adapter, logger: quiet, ...options });
  onTestFinished(() => shared.close());
  const startIssuer = async (issuerName?: string) => {
    const instance = await start({ shared, issuerName, config: storedKeys });
    return { ...instance, adapter: bindAdapter(adapter, issuerName) };
  };
  return { shared, startIssuer };
};

/** The values of the label `issuer` in the series of requests. */
const labelsIn = (metrics: MetricsSnapshot): readonly unknown[] => {
  const all = metrics as readonly { name: string; values: readonly { labels: Record<string, unknown> }[] }[];
  const requests = all.find(({ name }) => name === 'http_server_request_duration_seconds');
  return [...new Set(requests?.values.map(({ labels }) => labels.issuer))].toSorted();
};

const keysOf = async (issuer: string): Promise<readonly string[]> => {
  const { keys } = (await (await fetch(`${issuer}/.well-known/jwks.json`)).json()) as { keys: { kid: string }[] };
  return keys.map(({ kid }) => kid);
};

describe('two issuers in one process and one store', () => {
  it('have clients and keys of their own, and the tokens of one are invalid at the other', async () => {
    const { startIssuer } = await openIssuers();
    const [acme, shop] = [await startIssuer('acme'), await startIssuer('shop')];
    const client = await registerClient(acme, 'app');
    expect(await shop.carnet.clients.list()).toMatchObject({ items: [] });
    await registerClient(shop, 'app');
    const tokens = await login(acme, client);
    expect(await introspect(acme, tokens.access_token)).toMatchObject({ active: true, iss: acme.issuer });
    expect(await introspect(shop, tokens.access_token)).toEqual({ active: false });
    expect(await refresh(shop, client, tokens.refresh_token)).toMatchObject({ body: { error: 'invalid_grant' } });
    expect(await redeem(shop, client, await codeFor(acme, client))).toMatchObject({ body: { error: 'invalid_grant' } });
    expect(await refresh(acme, client, tokens.refresh_token)).toMatchObject({ status: 200 });
    const [ofAcme, ofShop] = [await keysOf(acme.issuer), await keysOf(shop.issuer)];
    expect(ofAcme.filter((kid) => ofShop.includes(kid))).toEqual([]);
    await acme.stop();
    await shop.stop();
  });

  it('name the issuer in each line of the log, and in the metrics, of which a named issuer sees its own alone', async () => {
    const { shared, startIssuer } = await openIssuers();
    const [first, acme, shop] = [await startIssuer(), await startIssuer('acme'), await startIssuer('shop')];
    for (const issuer of [first, acme, shop]) await login(issuer, await registerClient(issuer, 'app'));
    const issuersIn = (lines: readonly string[]) => new Set(lines.map((line) => JSON.parse(line).issuer));
    expect(issuersIn(first.logLines)).toEqual(new Set([undefined]));
    expect(issuersIn(acme.logLines)).toEqual(new Set(['acme']));
    expect(issuersIn(shop.logLines)).toEqual(new Set(['shop']));
    expect(labelsIn(await shared.metrics())).toEqual(['', 'acme', 'shop']);
    expect(labelsIn(await first.carnet.metrics())).toEqual(['', 'acme', 'shop']);
    expect(labelsIn(await acme.carnet.metrics())).toEqual(['acme']);
    for (const issuer of [first, acme, shop]) await issuer.stop();
  });

  it('close in any order, and the others keep serving', async () => {
    const { startIssuer } = await openIssuers();
    const [first, acme, shop] = [await startIssuer(), await startIssuer('acme'), await startIssuer('shop')];
    const client = await registerClient(shop, 'app');
    await first.stop();
    await login(shop, client);
    await acme.stop();
    expect(await login(shop, client)).toHaveProperty('id_token');
    const again = await startIssuer('acme');
    expect(await login(again, await registerClient(again, 'app'))).toHaveProperty('id_token');
    await shop.stop();
    await again.stop();
  });

  it('are not ready while their store fails, and serve when it answers again', async () => {
    const { adapter, faults } = faultyAdapter();
    const { startIssuer } = await openIssuers(adapter);
    const [acme, shop] = [await startIssuer('acme'), await startIssuer('shop')];
    const client = await registerClient(acme, 'app');
    const code = await codeFor(acme, client);
    const readiness = () =>
      Promise.all([acme, shop].map(async ({ admin }) => (await fetch(`${admin}/health/ready`)).status));
    faults.down = true;
    expect(await redeem(acme, client, code)).toMatchObject({ status: 503 });
    expect(await readiness()).toEqual([503, 503]);
    faults.down = false;
    expect(await readiness()).toEqual([200, 200]);
    expect(await redeem(acme, client, code)).toMatchObject({ status: 200 });
    await acme.stop();
    await shop.stop();
  });
});

it('a notification of an issuer that is closed is delivered, because the poll of all issuers has it opened', async () => {
  const receiver = await startLogoutReceiver();
  receiver.answerWith(500, 200);
  const opened: unknown[] = [];
  const { startIssuer } = await openIssuers(undefined, {
    openIssuer: async (name) => {
      opened.push(name);
      const issuer = await startIssuer(name);
      onTestFinished(() => issuer.stop());
    },
  });
  const acme = await startIssuer('acme');
  const client = await registerClient(acme, 'app', { backchannel_logout_uri: receiver.url });
  const browser = createBrowser();
  const { id_token: hint } = await login(acme, client, { browser, login: { remember: true } });
  await signOut(acme, browser, { id_token_hint: String(hint) });
  await receiver.until(1);
  await acme.stop();
  await receiver.until(2);
  await untilDelivered(acme.adapter);
  expect(opened).toEqual(['acme']);
  await receiver.close();
});
