import { request } from 'node:http';
import { expect, it } from 'vitest';
import { sendJson } from '../../provider/test/call.ts';
import { openInstallation } from './open-installation.ts';

const tokens = {
  all: 'a-token-of-all-issuers-0001',
  acme: 'a-token-of-acme-alone-00001',
  both: 'a-token-of-acme-and-shop-01',
  first: 'a-token-of-the-first-alone',
  firstAndShop: 'a-token-of-first-and-shop-1',
  own: 'a-token-in-the-section-acme',
};

const open = () =>
  openInstallation({
    config: {
      admin: {
        tokens: [
          { name: 'all', rights: ['all'], value: tokens.all },
          { name: 'acme', rights: ['all'], value: tokens.acme, issuers: ['acme'] },
          { name: 'both', rights: ['all'], value: tokens.both, issuers: ['acme', 'shop'] },
          { name: 'first', rights: ['all'], value: tokens.first, issuers: ['(first)'] },
          { name: 'first-and-shop', rights: ['all'], value: tokens.firstAndShop, issuers: ['(first)', 'shop'] },
        ],
      },
    },
    issuersAt: (port) => ({
      acme: {
        issuer: `http://localhost:${port}`,
        admin: { tokens: [{ name: 'own', rights: ['read'], value: tokens.own }] },
      },
      shop: { issuer: `http://127.0.0.1:${port}/shop` },
    }),
  });

/** The status of `GET /admin/clients`, with a Host header. */
const statusAtHost = (url: string, host: string, token: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const sent = request(
      `${url}/admin/clients`,
      { headers: { host, authorization: `Bearer ${token}` } },
      (response) => {
        response.resume();
        resolve(response.statusCode);
      },
    );
    sent.on('error', reject);
    sent.end();
  });

it('a token bound to issuers is valid at them alone', async () => {
  const { at } = await open();
  const statusesOf = async (token: string) => {
    const answers = [undefined, 'acme', 'shop'].map((name) =>
      sendJson('GET', `${at(name).admin}/admin/keys/some-set`, undefined, token),
    );
    return (await Promise.all(answers)).map(({ status }) => status);
  };
  // 404: the caller is authorized, and there is no such key set.
  expect(await statusesOf(tokens.all)).toEqual([404, 404, 404]);
  // Without a path, it is about the only issuer of the token.
  expect(await statusesOf(tokens.acme)).toEqual([404, 404, 403]);
  expect(await statusesOf(tokens.both)).toEqual([403, 404, 404]);
  expect(await statusesOf(tokens.first)).toEqual([404, 403, 403]);
  expect(await statusesOf(tokens.firstAndShop)).toEqual([404, 403, 404]);
  // A token in the section of an issuer is unknown at the others; its right does not allow key sets.
  expect(await statusesOf(tokens.own)).toEqual([403, 403, 401]);
  expect(await statusesOf('a-token-that-nobody-has-01')).toEqual([401, 401, 401]);
});

it('a token of one issuer manages this issuer without a path, and by the host of another one is refused', async () => {
  const { at, admin } = await open();
  const created = await sendJson(
    'POST',
    `${admin}/admin/clients`,
    { client_id: 'of-acme', redirect_uris: [] },
    tokens.acme,
  );
  expect(created.status).toBe(201);
  const statusOf = async (name: string | undefined) =>
    (await sendJson('GET', `${at(name).admin}/admin/clients/of-acme`, undefined, tokens.all)).status;
  expect([await statusOf(undefined), await statusOf('acme'), await statusOf('shop')]).toEqual([404, 200, 404]);
  const acmeHost = new URL(at('acme').issuer).host;
  expect(await statusAtHost(admin, acmeHost, tokens.all)).toBe(200);
  expect(await statusAtHost(admin, acmeHost, tokens.acme)).toBe(200);
  expect(await statusAtHost(admin, new URL(at(undefined).issuer).host, tokens.both)).toBe(403);
});

it('a token of the first issuer alone manages it without a path, and is refused by the host of another one', async () => {
  const { at, admin } = await open();
  expect((await sendJson('GET', `${admin}/admin/clients`, undefined, tokens.first)).status).toBe(200);
  expect(await statusAtHost(admin, new URL(at('acme').issuer).host, tokens.first)).toBe(403);
  for (const name of ['(first)', '%28first%29', '']) {
    expect((await sendJson('GET', `${admin}/issuers/${name}/admin/clients`, undefined, tokens.first)).status).toBe(404);
  }
});

it('a name that no issuer has is an unknown path, and callers without a token learn no names', async () => {
  const { admin } = await open();
  for (const name of ['nobody', 'acme']) {
    expect((await sendJson('GET', `${admin}/issuers/${name}/admin/clients`)).status).toBe(401);
  }
  for (const path of [
    'nobody/admin/clients',
    'ACME/admin/clients',
    'ac%6De/admin/clients',
    '../admin/nothing',
    'acme',
  ]) {
    expect((await sendJson('GET', `${admin}/issuers/${path}`, undefined, tokens.all)).status).toBe(404);
  }
});

it('the metrics of an issuer are its own, and those of the first issuer are of all', async () => {
  const { at, admin } = await open();
  for (const name of ['acme', 'shop']) await fetch(`${at(name).issuer}/.well-known/openid-configuration`);
  const metrics = async (url: string, token: string) => {
    const response = await fetch(`${url}/admin/metrics/prometheus`, { headers: { authorization: `Bearer ${token}` } });
    return response.text();
  };
  const ofAcme = await metrics(at('acme').admin, tokens.acme);
  expect(ofAcme).toContain('issuer="acme"');
  expect(ofAcme).not.toContain('issuer="shop"');
  expect(await metrics(admin, tokens.all)).toContain('issuer="shop"');
});
