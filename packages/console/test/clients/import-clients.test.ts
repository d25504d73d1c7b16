import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type Carnet, createProvider } from '@carnet/provider';
import { listen } from '@carnet/test-servers/listen';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openAdminApiServer } from '../../src/server/admin-api/open-admin-api.ts';
import { createInProcessServer } from '../../src/server/in-process.ts';
import { devConfig, startConsole } from '../start-console.ts';
import { hostileText } from '../start-with-users.ts';

const token = 'the-admin-token-of-the-console';
const url = new URL('http://console.test/console');

const byAdminApi = async (carnet: Carnet) => {
  const admin = await listen(carnet.adminCallback());
  onTestFinished(() => admin.close());
  return openAdminApiServer({ issuer: devConfig.issuer, url: new URL(admin.origin), token, timeoutMs: 10_000 });
};
const ways = [
  ['in process', undefined],
  ['by the admin API', byAdminApi],
] as const;

const start = async (...[config, operator, given]: Parameters<typeof startConsole>) => {
  const console = await startConsole({ admin: { token }, ...config }, operator, given);
  onTestFinished(() => console.carnet.close());
  const upload = (
    content: string | Uint8Array<ArrayBuffer>,
    fields: Record<string, string> = {},
    headers?: Record<string, string>,
  ) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    form.set('file', new File([content], 'clients.json', { type: 'application/json' }));
    return console.post('/import-clients', form, headers);
  };
  /** Checks a file, and imports it with the form of that page. */
  const importFile = async (content: string, fields: Record<string, string> = {}) => {
    const checked = await (await upload(content, fields)).text();
    return { checked, imported: await (await console.post('/import-clients', hiddenIn(checked))).text() };
  };
  return { ...console, upload, importFile };
};

const hiddenIn = (page: string): Record<string, string> =>
  Object.fromEntries(
    [...page.matchAll(/<input type="hidden" name="(checked|lenient|existing)" value="([^"]*)">/g)].map(
      ([, name, value]) => [name ?? '', value ?? ''],
    ),
  );

/** The items of a page, as texts. */
const itemsIn = (page: string): readonly string[] =>
  [...page.matchAll(/<li value="(\d+)">(.*?)<\/li>(?=<li value|<\/ol>)/gs)].map(([, number, item = '']) =>
    `${number} ${item.replaceAll(/<[^>]+>/g, ' ')}`.replaceAll(/\s+/g, ' ').trim(),
  );

const countsIn = (page: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...page.matchAll(/<dt>([^<]+)<\/dt><dd>([\d,]+)<\/dd>/g)].map(([, name, count]) => [name, count ?? '']),
  );

const ids = async ({ clients }: Carnet) => (await clients.list()).items.map(({ client_id }) => client_id);
const many = (count: number) =>
  JSON.stringify(
    Array.from({ length: count }, (_, index) => ({ client_id: `app-${index}`, token_endpoint_auth_method: 'none' })),
  );

const hash = '$pbkdf2-sha256$i=25000,l=32$ZmRaMmZKQ2VnOUUxdVRudA$Mw5Ky4FkTpKJzZRUJYCmc0sY8V1o1VUvZsVtH1yR8dM';

describe.each(ways)('an import %s', (_way, serverOf) => {
  test('registers the clients of a file, and names those that exist or are refused with the reason', async () => {
    const console = await start({}, undefined, { serverOf });
    await console.carnet.clients.create({ client_id: 'old', client_name: 'Old' });
    const file = JSON.stringify([
      { client_id: 'shop', client_name: 'Shop', redirect_uris: ['https://shop.test/cb'], client_secret: hash },
      { client_id: 'old', client_name: 'Other' },
      { client_id: 'bad', redirect_uris: ['not a URL'] },
      { client_id: 'shop', client_name: 'Twice' },
      { client_id: 'late', token_endpoint_auth_method: 'private_key_jwt' },
      { client_id: 'job', grant_types: ['client_credentials'] },
    ]);
    const { checked, imported } = await console.importFile(file);
    expect(countsIn(checked)).toEqual({ 'Can be imported': '2', 'Exists already, not changed': '1', Refused: '3' });
    expect(itemsIn(checked)).toEqual([
      '2 old Exists already, not changed',
      '3 bad Refused Field redirect_uris.0 must be an absolute URL.',
      '4 shop Refused The file has another client with this id before this one.',
      expect.stringMatching(/^5 late Refused .*jwks_uri must be set/),
      '6 job Can be imported The file has no secret for it: the import generates a new one.',
    ]);
    expect(countsIn(imported)).toEqual({ Created: '2', 'Exists already, not changed': '1', Refused: '3' });
    expect(itemsIn(imported).filter((item) => item.includes('Refused'))).toEqual([
      expect.stringMatching(/^3 bad Refused \S.{10,}/),
      expect.stringMatching(/^4 shop Refused /),
      expect.stringMatching(/^5 late Refused .*jwks_uri must be set/),
    ]);
    for (const id of ['shop', 'old', 'job']) expect(imported).toContain(`href="/console/clients/${id}"`);
    expect((await ids(console.carnet)).toSorted()).toEqual(['job', 'old', 'shop']);
    expect(await console.carnet.clients.get('old')).toMatchObject({ client_name: 'Old' });
    expect(console.records).toEqual(
      ['shop', 'job'].map((clientId) => ({
        audit: { action: 'console.client.import', outcome: 'success', operator: 'ada', clientId },
      })),
    );
    expect(await (await console.get('/clients?q=Shop')).text()).toContain('<code>shop</code>');
  });

  test('shows a secret once that the server has generated, and no secret or hash of the file', async () => {
    const console = await start({}, undefined, { serverOf });
    const file = `{"client_id":"job","grant_types":["client_credentials"]}
{"client_id":"own","client_secret":"a-secret-of-the-file-itself"}
{"client_id":"hashed","client_secret":"${hash}"}
`;
    const { checked, imported } = await console.importFile(file);
    expect(checked).toMatch(/Clients without a secret in the file: 1\..*<form/s);
    const secret = /Client secret: <code>([^<]+)</.exec(imported)?.[1] ?? '';
    expect(imported.match(/Client secret: /g)).toHaveLength(1);
    expect(imported).toContain('Copy the secrets above now');
    const body = new URLSearchParams({ grant_type: 'client_credentials' });
    const headers = { authorization: `Basic ${btoa(`job:${encodeURIComponent(secret)}`)}` };
    const request = new Request('http://localhost:4444/oauth2/token', { method: 'POST', body, headers });
    expect((await console.carnet.fetch(request)).status).toBe(200);
    for (const text of [checked, imported]) expect(text).not.toMatch(/a-secret-of-the-file-itself|pbkdf2/);
    expect(JSON.stringify(console.records)).not.toContain(secret);
  });

  test('leaves out what the server refuses if the operator wants it so, and names each member', async () => {
    const console = await start({}, undefined, { serverOf });
    const file = JSON.stringify([
      { client_id: 'partly', redirect_uris: ['not a URL', 'https://a.test/cb'], logo_uri: 'not a URL' },
      { client_id: 'keyless', token_endpoint_auth_method: 'private_key_jwt' },
    ]);
    const { checked, imported } = await console.importFile(file, { lenient: 'true' });
    expect(countsIn(checked)).toEqual({ 'Can be imported': '2' });
    expect(itemsIn(checked)).toEqual([
      expect.stringMatching(/^1 partly .*left out redirect_uris.0: .*left out logo_uri/),
      expect.stringMatching(/^2 keyless .*left out token_endpoint_auth_method: .*generates a new one/),
    ]);
    expect(countsIn(imported)).toEqual({ Created: '2' });
    expect(itemsIn(imported)[1]).toMatch(/keyless Created .*left out token_endpoint_auth_method: /);
    expect(await console.carnet.clients.get('partly')).toMatchObject({ redirect_uris: ['https://a.test/cb'] });
  });
});

test('a repeated import registers nothing, and lets the server refuse few of its clients', async () => {
  let refusals = 0;
  const serverOf = async (carnet: Carnet) => {
    const { clients, ...server } = createInProcessServer(carnet, devConfig);
    const create: typeof clients.create = (client) =>
      clients.create(client).catch((error: unknown) => {
        refusals += 1;
        throw error;
      });
    return { ...server, clients: { ...clients, create } };
  };
  const console = await start({}, undefined, { serverOf });
  await console.importFile(many(20));
  const { imported } = await console.importFile(many(25));
  expect(countsIn(imported)).toEqual({ Created: '5', 'Exists already, not changed': '20' });
  expect(refusals).toBe(0);
  const { existing: _, ...stale } = hiddenIn(await (await console.upload(many(40))).text());
  const other = await (await console.post('/import-clients', stale)).text();
  expect(countsIn(other)).toEqual({ Created: '15', 'Exists already, not changed': '25' });
  expect(refusals).toBeLessThanOrEqual(8);
  const again = await (await console.upload(many(40))).text();
  expect(again).toContain('There is nothing to import.');
  expect(again).not.toContain('Start the import');
});

test('an object without a member of a registration is refused, with the guide for exports of Keycloak', async () => {
  const console = await start();
  const file = JSON.stringify([{ clientId: 'shop', redirectUris: ['https://shop.test/cb'], secret: 's' }]);
  for (const lenient of ['false', 'true']) {
    const checked = await (await console.upload(file, { lenient })).text();
    expect(itemsIn(checked)).toEqual([expect.stringMatching(/^1 Refused .*Coming from Keycloak/)]);
  }
});

test('the check and the result warn of clients that can not work', async () => {
  const console = await start();
  const file = JSON.stringify([
    { client_id: 'old', grant_types: ['password'], redirect_uris: ['https://*.shop.test/cb'] },
    { client_id: 'implicit', grant_types: ['implicit'], response_types: ['token'], redirect_uris: ['https://a.test/'] },
    { client_id: 'lost', redirect_uris: ['not a URL'], token_endpoint_auth_method: 'none' },
    { client_id: 'public', grant_types: ['client_credentials'], token_endpoint_auth_method: 'none' },
  ]);
  for (const page of Object.values(await console.importFile(file, { lenient: 'true' })))
    expect(itemsIn(page)).toEqual([
      expect.stringMatching(
        /^1 old .*redirect_uris\.0 has a &quot;\*.*grant_types\.0 is not a grant type of this server.*can not get tokens/,
      ),
      expect.stringMatching(/^2 implicit .*the client can not get tokens/),
      expect.stringMatching(/^3 lost .*no redirect URI is left/),
      expect.stringMatching(/^4 public .*It was the only grant type/),
    ]);
});

test('a pairwise client of a server with public subjects loses its sector, and one note says that users get other subjects', async () => {
  const console = await start();
  const sector = { subject_type: 'pairwise', sector_identifier_uri: 'https://sector.invalid/s' };
  const file = JSON.stringify({ client_id: 'pair', redirect_uris: ['https://a.test/cb'], ...sector });
  const { checked, imported } = await console.importFile(file, { lenient: 'true' });
  expect(imported).toContain('Created');
  for (const page of [checked, imported]) {
    const [item = ''] = itemsIn(page);
    expect(item).toMatch(/left out subject_type and sector_identifier_uri: users get other subjects/);
    expect(item.match(/left out/g)).toHaveLength(1);
  }
  expect(itemsIn(await (await console.upload(file.replace('pair', 'two'))).text())).toEqual([
    expect.stringMatching(/^1 two Refused .*subject_type must be public/),
  ]);
});

test('wrong values are explained in words, without the texts of the library that validates them', async () => {
  const console = await start();
  const file = JSON.stringify({ client_id: 'odd', access_token_strategy: 'magic', skip_consent: 'yes' });
  for (const lenient of ['false', 'true']) {
    const [item = ''] = itemsIn(await (await console.upload(file, { lenient })).text());
    expect(item).toMatch(/skip_consent:? must be a boolean.* access_token_strategy:? must be one of opaque, jwt/);
  }
});

test.each([
  ['one client', '{"client_id": "a"}', ['a']],
  ['a list', '[{"client_id": "a"}, {"client_id": "b"}]', ['a', 'b']],
  ['a page of a list', '{"items": [{"client_id": "a"}], "is_last_page": true}', ['a']],
  ['lines', '{"client_id": "a"}\r\n\r\n{"client_id": "b"}\r\n', ['a', 'b']],
  ['a list with a byte order mark', '\ufeff[{"client_id": "a"}]', ['a']],
])('a file with %s is imported', async (_what, content, expected) => {
  const console = await start();
  await console.importFile(content);
  expect((await ids(console.carnet)).toSorted()).toEqual(expected);
});

test.each([
  ['', 'The file has no client.'],
  ['[]', 'The file has no client.'],
  ['{"client_secret": "s3cret-of-the-file', 'The file is not valid JSON.'],
  ['{"client_id": "a"}\n{"client_secret": "s3cret-of-the-file', 'Line 2 of the file is not valid JSON.'],
  ['{"items": [{"client_id": "a"}], "next_page_token": "s3cret", "is_last_page": false}', 'Export all pages.'],
  [new Uint8Array(Buffer.from('\ufeff[{"client_id": "s3cret"}]', 'utf16le')), 'Save the file as UTF-8.'],
  ['["s3cret-of-the-file"]', 'Each client of the file must be a JSON object.'],
  [JSON.stringify(Array.from({ length: 20_001 }, () => ({}))), 'The file has 20001 clients.'],
])('the file %.40j is refused as a whole with a reason that quotes nothing of it', async (content, reason) => {
  const console = await start();
  const response = await console.upload(content);
  const page = await response.text();
  expect(response.status).toBe(400);
  expect(page).toContain(reason);
  expect(page).not.toContain('s3cret');
});

test('a file that is too large is refused, also one that is compressed', async () => {
  const console = await start();
  const large = await console.upload(' '.repeat(16_000_001));
  expect([large.status, await large.text()]).toEqual([413, expect.stringContaining('too large')]);
  const compressed = await promisify(gzip)(`{"client_id": "a"}${' '.repeat(16_000_000)}`);
  const packed = await console.post('/import-clients', { checked: compressed.toString('base64') });
  expect(packed.status).toBe(400);
  expect(await ids(console.carnet)).toEqual([]);
  const broken = await console.post('/import-clients', { checked: 'no compressed file' });
  expect(broken.status).toBe(400);
  const noForm = await console.post('/import-clients', {}, { 'content-type': 'multipart/form-data; boundary=x' });
  expect(noForm.status).toBe(400);
});

test('a file that is too large is read to its end, so that the browser shows the answer', async () => {
  const console = await start();
  const piece = new Uint8Array(1_000_000);
  let left = 20;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (left-- > 0) controller.enqueue(piece);
      else controller.close();
    },
  });
  expect((await console.post('/import-clients', body)).status).toBe(413);
  expect(left).toBe(-1);
});

test('the file of a check is imported by another process', async () => {
  const one = await start();
  const other = await startConsole({}, undefined, { carnet: one.carnet });
  const checked = hiddenIn(await (await one.upload(many(3))).text());
  expect(countsIn(await (await other.post('/import-clients', checked)).text())).toEqual({ Created: '3' });
});

test('a viewer and a page of another origin import nothing', async () => {
  const viewer = await start({}, { subject: 'vic', name: 'Vic', role: 'viewer' });
  expect((await viewer.get('/import-clients')).status).toBe(403);
  expect((await viewer.upload(many(1))).status).toBe(403);
  expect(await (await viewer.get('/clients')).text()).not.toContain('/import-clients');
  const checked = hiddenIn(await (await (await start()).upload(many(1))).text());
  expect((await viewer.post('/import-clients', checked)).status).toBe(403);
  const operator = await start();
  for (const origin of ['https://evil.test', 'null', `${url.origin}.evil.test`])
    expect((await operator.post('/import-clients', checked, { origin })).status).toBe(403);
  expect([await ids(viewer.carnet), await ids(operator.carnet)]).toEqual([[], []]);
});

test('texts of a file do not become markup, and a client without an id is named by its number', async () => {
  const console = await start();
  const file = JSON.stringify([
    { client_id: hostileText, client_name: hostileText, [hostileText]: hostileText },
    { client_id: { [hostileText]: 1 }, redirect_uris: [hostileText] },
    { client_id: `ok"'><b>`, client_name: hostileText, redirect_uris: [hostileText] },
    { client_name: hostileText, logo_uri: `javascript:${hostileText}`, __proto__: { a: 1 }, constructor: hostileText },
    { client_name: hostileText },
    { client_id: `id-"'><img>`, client_name: hostileText },
  ]);
  const pages = [
    ...Object.values(await console.importFile(file)),
    ...Object.values(await console.importFile(file, { lenient: 'true' })),
  ];
  for (const page of pages) expect(page).not.toMatch(/<script>alert|<img|<b>|href="javascript/);
  expect(itemsIn(pages[0] ?? '').map((item) => item.split(' ', 1)[0])).toEqual(['1', '2', '3', '4', '5', '6']);
  expect(itemsIn(pages[0] ?? '')[4]).toMatch(
    /^5 Can be imported .* It has no client_id: it gets a new one in each import\.$/,
  );
});

test('leaving the page stops the import, and another import of the file continues', async () => {
  const console = await start();
  const checked = hiddenIn(await (await console.upload(many(3_000))).text());
  const response = await console.post('/import-clients', checked);
  const reader = response.body?.getReader();
  await reader?.read();
  await reader?.read();
  const meanwhile = await console.post('/import-clients', checked);
  expect([meanwhile.status, await meanwhile.text()]).toEqual([
    429,
    expect.stringContaining('Another import is running'),
  ]);
  await reader?.cancel();
  await new Promise((resolve) => setImmediate(resolve));
  const before = (await (await console.get('/clients?q=app')).text()).length;
  expect(before).toBeGreaterThan(0);
  const created = (await console.carnet.clients.list({ limit: 500 })).items.length;
  expect(created).toBeLessThan(500);
  const rest = await (await console.post('/import-clients', checked)).text();
  expect(countsIn(rest)).toEqual({
    ...(created > 0 && { 'Exists already, not changed': String(created) }),
    Created: (3_000 - created).toLocaleString('en'),
  });
});

test('an import ends with the first error that is no fault of a client, and counts the clients that it has not tried', async () => {
  const carnet = await createProvider(devConfig, { maxClients: 20 });
  const console = await start({}, undefined, { carnet });
  const { imported } = await console.importFile(many(60));
  expect(countsIn(imported)).toEqual({ Created: '20', 'Not tried': '40' });
  expect(imported).toContain('the most that it may have');
  expect(imported).toContain('</html>');
});
