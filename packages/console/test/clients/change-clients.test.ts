import { afterEach, expect, test } from 'vitest';
import { startConsole } from '../start-console.ts';

type Console = Awaited<ReturnType<typeof startConsole>>;

const open: Console[] = [];
const start = async (...given: Parameters<typeof startConsole>): Promise<Console> => {
  const started = await startConsole(...given);
  open.push(started);
  return started;
};
afterEach(async () => {
  for (const { carnet } of open.splice(0)) await carnet.close();
});

const viewer = { subject: 'vic', name: 'Vic', role: 'viewer' } as const;
const ids = async ({ carnet }: Console) => (await carnet.clients.list()).items.map(({ client_id }) => client_id);
const preIn = (text: string): string => /<pre>([^<]+)<\/pre>/.exec(text)?.[1] ?? '';

const answers = {
  web: { client_name: 'Shop', redirect_uris: 'https://shop.test/cb\nhttps://shop.test/cb2', scope: 'openid email' },
  spa: { client_name: 'App', redirect_uris: 'https://app.test/cb', scope: 'openid', refresh: 'true' },
  native: { client_name: 'Phone', redirect_uris: 'com.example.app:/cb', scope: 'openid' },
  machine: { client_name: 'Job', scope: 'orders.read', audience: 'https://api.test' },
  device: { client_name: 'TV', scope: 'openid' },
  mcp: {
    client_name: 'Tools',
    redirect_uris: 'http://127.0.0.1:7777/cb',
    scope: 'tools',
    audience: 'https://mcp.test',
  },
};

test.each(Object.entries(answers))('the questions about a %s app register its metadata', async (kind, fields) => {
  const console = await start({ features: { device: { enabled: true } } });
  const response = await console.post('/new-client', { kind, client_id: 'new', ...fields });
  expect(response.status).toBe(200);
  const client = await console.carnet.clients.get('new');
  expect(client).toMatchObject({ client_name: fields.client_name });
  expect({ ...client, client_id: '', created_at: '', updated_at: '' }).toMatchSnapshot();
  const text = await response.text();
  expect(text).toContain('<code>new</code>');
  const secret = preIn(text);
  expect(secret !== '' && client.token_endpoint_auth_method !== 'none').toBe(kind === 'web' || kind === 'machine');
  expect(console.records).toEqual([
    { audit: { action: 'console.client.create', outcome: 'success', operator: 'ada', clientId: 'new' } },
  ]);
});

test('the secret that the page shows is the secret of the client, and appears in no other page', async () => {
  const console = await start();
  const created = await console.post('/new-client', { kind: 'machine', client_id: 'job', client_name: 'Job' });
  const secret = preIn(await created.text());
  const authorization = `Basic ${Buffer.from(`job:${encodeURIComponent(secret)}`).toString('base64')}`;
  const token = await console.carnet.fetch(
    new Request('http://localhost:4444/oauth2/token', {
      method: 'POST',
      headers: { authorization },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    }),
  );
  expect(token.status).toBe(200);
  for (const path of ['/clients', '/clients/job', '/clients/job/json', '/clients/job/edit']) {
    expect(await (await console.get(path)).text()).not.toContain(secret);
  }
  expect(JSON.stringify(console.records)).not.toContain(secret);
});

test('a form that is sent twice registers one client', async () => {
  const console = await start();
  const fields = { kind: 'web', client_id: 'once', ...answers.web };
  await console.post('/new-client', fields);
  const again = await console.post('/new-client', fields);
  expect(again.status).toBe(400);
  expect(await again.text()).toContain('sent twice');
  expect(await ids(console)).toEqual(['once']);
});

test('metadata that Carnet refuses is explained, and what was typed stays in the form', async () => {
  const console = await start();
  const response = await console.post('/new-client', {
    ...{ kind: 'web', client_id: 'bad', client_name: 'Typed', redirect_uris: 'javascript:alert(1)' },
  });
  const text = await response.text();
  expect(response.status).toBe(400);
  expect(text).toContain('must not use a scheme of scripts');
  expect(text).toContain('value="Typed"');
  expect(await ids(console)).toEqual([]);
});

test('a client is edited, and a change since the form was loaded is noticed', async () => {
  const console = await start();
  const before = await console.carnet.clients.create({
    client_id: 'shop',
    client_name: 'Shop',
    response_types: ['code'],
  });
  const fields = {
    ...{ client_name: 'Shop 2', redirect_uris: 'https://shop.test/a', grant_types: 'authorization_code' },
    ...{ response_types: 'code id_token\ncode', scope: 'openid', updated_at: before.updated_at },
    token_endpoint_auth_method: before.token_endpoint_auth_method,
  };
  const saved = await console.post('/clients/shop/edit', fields);
  expect(saved.status).toBe(303);
  expect(await console.carnet.clients.get('shop')).toMatchObject({
    client_name: 'Shop 2',
    redirect_uris: ['https://shop.test/a'],
    response_types: ['code id_token', 'code'],
  });
  const late = await console.post('/clients/shop/edit', { ...fields, client_name: 'Late', updated_at: 'earlier' });
  expect(late.status).toBe(400);
  expect(await late.text()).toContain('was changed since');
  expect(await console.carnet.clients.get('shop')).toMatchObject({ client_name: 'Shop 2' });
});

test('saving the form without a change keeps an authentication method that is not registered', async () => {
  const console = await start();
  const created = await console.carnet.clients.create({ client_id: 'shop', client_secret: 'secret-of-shop' });
  await console.post('/clients/shop/edit', {
    ...{ grant_types: 'client_credentials', scope: 'openid', updated_at: created.updated_at },
    token_endpoint_auth_method: 'client_secret_basic',
  });
  const inBody = new URLSearchParams({
    grant_type: 'client_credentials',
    ...{ client_id: 'shop', client_secret: 'secret-of-shop' },
  });
  const request = new Request('http://localhost:4444/oauth2/token', { method: 'POST', body: inBody });
  expect((await console.carnet.fetch(request)).status).toBe(200);
});

test('all metadata can be replaced as JSON', async () => {
  const console = await start();
  const { updated_at } = await console.carnet.clients.create({ client_id: 'shop', client_name: 'Shop' });
  const post = (metadata: string) => console.post('/clients/shop/json', { metadata, updated_at });
  expect((await post('{"client_name": ')).status).toBe(400);
  expect((await post('[]')).status).toBe(400);
  expect((await post('{"redirect_uris": "x"}')).status).toBe(400);
  expect((await post('{"client_name": "Other"}')).status).toBe(303);
  expect(await console.carnet.clients.get('shop')).toMatchObject({ client_name: 'Other' });
});

test('a rotated secret is shown once, the earlier ones can be revoked', async () => {
  const console = await start();
  const { updated_at } = await console.carnet.clients.create({ client_id: 'shop' });
  expect((await console.post('/clients/shop/secret', { updated_at: 'earlier' })).status).toBe(412);
  const rotated = await console.post('/clients/shop/secret', { updated_at });
  expect(preIn(await rotated.text())).not.toBe('');
  expect((await console.post('/clients/shop/earlier-secrets', {})).status).toBe(303);
  expect(console.records).toMatchObject([
    { audit: { action: 'console.client.rotateSecret', operator: 'ada', clientId: 'shop' } },
    { audit: { action: 'console.client.revokeRotatedSecrets', operator: 'ada', clientId: 'shop' } },
  ]);
});

test('a client is deleted when its name or id is typed', async () => {
  const console = await start();
  await console.carnet.clients.create({ client_id: 'shop', client_name: 'My shop' });
  await console.carnet.clients.create({ client_id: 'nameless' });
  expect((await console.post('/clients/shop/delete', { confirmed: '' })).status).toBe(400);
  expect((await console.post('/clients/nameless/delete', { confirmed: '' })).status).toBe(400);
  expect(await ids(console)).toHaveLength(2);
  expect((await console.post('/clients/shop/delete', { confirmed: 'My shop' })).status).toBe(303);
  expect((await console.post('/clients/nameless/delete', { confirmed: 'nameless' })).status).toBe(303);
  expect(await ids(console)).toEqual([]);
});

test('a viewer reads clients, and changes none', async () => {
  const console = await start({}, viewer);
  const { updated_at } = await console.carnet.clients.create({ client_id: 'shop', client_name: 'Shop' });
  for (const path of ['/clients', '/clients?q=shop', '/clients/shop', '/clients/shop/json']) {
    const response = await console.get(path);
    expect(response.status).toBe(200);
    expect(await response.text()).not.toMatch(
      /action="[^"]*\/(?:clients|new-client)[^"]*" method|method="post" action="[^"]*client/,
    );
  }
  const before = await console.carnet.clients.get('shop');
  const changes = ['/new-client', '/clients/shop/edit', '/clients/shop/json', '/clients/shop/secret'];
  for (const path of [...changes, '/clients/shop/earlier-secrets', '/clients/shop/delete']) {
    const fields = { updated_at, kind: 'web', confirmed: 'shop', metadata: '{}', ...answers.web };
    expect((await console.post(path, fields)).status).toBe(403);
  }
  expect(await console.carnet.clients.get('shop')).toEqual(before);
  expect(await ids(console)).toEqual(['shop']);
  expect(console.records).toEqual([]);
});

test('a client of the configuration shows where it is changed, and has no forms', async () => {
  const console = await start({
    clients: [{ client_id: 'fixed', client_name: 'Fixed', token_endpoint_auth_method: 'none' }],
  });
  const text = await (await console.get('/clients/fixed')).text();
  expect(text).toContain('clients.0');
  expect(text).not.toContain('/clients/fixed/delete');
});
