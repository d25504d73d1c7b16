import { expect, it } from 'vitest';
import { sendJson } from '../../provider/test/call.ts';
import { openInstallation } from './open-installation.ts';

const document = '/.well-known/openid-configuration';

const openWith = (limits: Readonly<Record<string, number>>) =>
  openInstallation({
    config: { oidc: { dynamicClientRegistration: { enabled: true } } },
    issuersAt: (port) => ({
      acme: { issuer: `http://127.0.0.1:${port}/acme`, limits },
      shop: { issuer: `http://127.0.0.1:${port}/shop` },
    }),
  });

it('an issuer over its limit answers 429 with Retry-After, and the others are not limited by it', async () => {
  const { at } = await openWith({ requestsPerSecond: 5, burst: 10 });
  const get = (name: string | undefined) => fetch(at(name).issuer + document);
  const statuses = [];
  for (let count = 0; count < 40; count += 1) statuses.push((await get('acme')).status);
  expect(statuses.slice(0, 10)).toEqual(Array(10).fill(200));
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(10);
  const refused = await get('acme');
  expect({ status: refused.status, after: Number(refused.headers.get('retry-after')) > 0 }).toEqual({
    status: 429,
    after: true,
  });
  expect(await refused.json()).toMatchObject({ error: 'too_many_requests' });
  for (const name of ['shop', undefined]) {
    for (let count = 0; count < 40; count += 1) expect((await get(name)).status).toBe(200);
  }
  // A flood at the endpoints does not lock out the operators of the issuer.
  expect((await fetch(`${at('acme').admin}/admin/clients`)).status).toBe(200);
});

it('an issuer has no more clients than it may, by the admin API, by registration and in process', async () => {
  const { at, issuers } = await openWith({ clients: 2 });
  const create = (name: string | undefined) =>
    sendJson('POST', `${at(name).admin}/admin/clients`, { redirect_uris: [] });
  expect([(await create('acme')).status, (await create('acme')).status]).toEqual([201, 201]);
  expect(await create('acme')).toMatchObject({
    status: 403,
    body: { error: 'request_forbidden', error_description: 'This issuer has 2 clients, the most that it may have.' },
  });
  await expect(issuers.use('acme', ({ clients }) => clients.create({ redirect_uris: [] }))).rejects.toMatchObject({
    code: 'request_forbidden',
  });
  const register = (name: string) =>
    sendJson('POST', `${at(name).issuer}/oauth2/register`, { redirect_uris: ['https://app.example.com/cb'] });
  expect(await register('acme')).toMatchObject({ status: 403 });
  expect(await register('shop')).toMatchObject({ status: 201 });
  for (let count = 0; count < 4; count += 1) expect((await create('shop')).status).toBe(201);
});

it('the last place for a client is taken by registration with a token, too', async () => {
  const { at, issuers } = await openInstallation({
    config: { oidc: { dynamicClientRegistration: { enabled: true, access: 'token' } } },
    issuersAt: (port) => ({ acme: { issuer: `http://127.0.0.1:${port}/acme`, limits: { clients: 1 } } }),
  });
  const register = async () => {
    const { token } = await issuers.use('acme', ({ registrationTokens }) => registrationTokens.create());
    const body = { redirect_uris: ['https://app.example.com/cb'] };
    return sendJson('POST', `${at('acme').issuer}/oauth2/register`, body, token);
  };
  expect(await register()).toMatchObject({ status: 201 });
  expect(await register()).toMatchObject({ status: 403 });
  expect((await sendJson('POST', `${at('acme').admin}/admin/clients`, { redirect_uris: [] })).status).toBe(403);
});
