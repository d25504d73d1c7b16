import { expect, test } from 'vitest';
import { createClientIndex } from '../../src/pages/clients/client-index.ts';
import { startConsole } from '../start-console.ts';

const linksIn = (text: string): readonly string[] =>
  [...text.matchAll(/<th scope="row"><a href="([^"]+)">/g)].map(([, href = '']) => href);

test('the search finds clients by id, name and redirect host, and its state is in the URL', async () => {
  const { carnet, get } = await startConsole();
  await carnet.clients.create({ client_id: 'a1', client_name: 'Blue shop', redirect_uris: ['https://blue.test/cb'] });
  await carnet.clients.create({ client_id: 'b2', client_name: 'Green', redirect_uris: ['com.example.green:/cb'] });
  const found = async (text: string) => linksIn(await (await get(`/clients?q=${encodeURIComponent(text)}`)).text());
  expect(await found('')).toEqual(['/console/clients/a1', '/console/clients/b2']);
  expect(await found('SHOP blue')).toEqual(['/console/clients/a1']);
  expect(await found('blue.test')).toEqual(['/console/clients/a1']);
  expect(await found('com.example')).toEqual(['/console/clients/b2']);
  expect(await found('b2')).toEqual(['/console/clients/b2']);
  expect(await found('red')).toEqual([]);
  await carnet.close();
});

test('a list of more than one page is walked by its links, every client once', async () => {
  const { carnet, get } = await startConsole();
  const ids = Array.from({ length: 120 }, (_, index) => `client-${String(index).padStart(3, '0')}`);
  for (const id of ids) await carnet.clients.create({ client_id: id, client_name: 'One of many' });
  for (const start of ['/clients', '/clients?q=many']) {
    const seen: string[] = [];
    for (let path: string | undefined = start; path !== undefined; ) {
      const text = await (await get(path)).text();
      seen.push(...linksIn(text));
      path = /rel="next" href="\/console([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
    }
    expect(seen.toSorted()).toEqual(ids.map((id) => `/console/clients/${id}`));
  }
  await carnet.close();
});

test('a client that another process has registered is found by its id at once', async () => {
  const { carnet, get } = await startConsole();
  await get('/clients?q=anything');
  await carnet.clients.create({ client_id: 'late', client_name: 'Late' });
  const text = await (await get('/clients?q=late')).text();
  expect(linksIn(text)).toEqual(['/console/clients/late']);
  expect(text).toContain('that were read');
  await carnet.close();
});

const client = (id: string) => ({ client_id: id, client_name: '', redirect_uris: [], grant_types: [], updated_at: '' });

test('an old index is read again in the background, and a very old one before the answer', async () => {
  let time = 0;
  let lists = 0;
  const ids = ['a'];
  const list = async () => {
    lists += 1;
    return { items: ids.map(client) as never };
  };
  const index = createClientIndex({ clients: { list }, now: () => time });
  const found = async () => (await index.search('', { limit: 10, after: undefined })).rows.map(({ id }) => id);
  expect(await found()).toEqual(['a']);
  ids.push('b');
  time = 20_000;
  expect(await found()).toEqual(['a']);
  expect(lists).toBe(1);
  time = 40_000;
  expect(await found()).toEqual(['a']);
  expect(lists).toBe(2);
  expect(await found()).toEqual(['a', 'b']);
  ids.push('c');
  time = 400_000;
  expect(await found()).toEqual(['a', 'b', 'c']);
});

test('a change during the reading of the index is not lost', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const list = async () => {
    await promise;
    return { items: [client('a'), client('gone')] as never };
  };
  const index = createClientIndex({ clients: { list }, now: () => 0 });
  const search = index.search('', { limit: 10, after: undefined });
  index.put(client('new') as never);
  index.remove('gone');
  resolve();
  expect((await search).rows.map(({ id }) => id)).toEqual(['a', 'new']);
});

const hostile = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '\u202Egnp.exe',
  "'; DROP TABLE--",
  'ﷺ'.repeat(200),
];

test.each(hostile)('the name %j is text on every page', async (name) => {
  const { carnet, get, post } = await startConsole();
  await carnet.clients.create({
    ...{ client_id: 'x"<b>/..%2f', client_name: name },
    redirect_uris: ['https://a.test/?a="><script>alert(1)</script>', 'app.x:/cb?"onclick="a'],
  });
  const path = `/clients/${encodeURIComponent('x"<b>/..%2f')}`;
  const pages = ['/clients', `/clients?q=${encodeURIComponent(name)}`, path, `${path}/edit`, `${path}/json`];
  for (const each of pages) {
    const response = await get(each);
    expect(response.status).toBe(200);
    expect(await response.text()).not.toMatch(/<script|<img|<b>|href="(?!\/console|#)/);
  }
  expect((await post(`${path}/delete`, { confirmed: name.trim() })).status).toBe(303);
  await carnet.close();
});

test('hostile searches are answered', async () => {
  const { carnet, get } = await startConsole();
  await carnet.clients.create({ client_id: 'a', client_name: 'e' });
  const texts = ['x'.repeat(10_000), 'e '.repeat(5_000), '\u0000', '../..', '%', '"', '<script>', '\u202E'];
  for (const text of texts) {
    const response = await get(`/clients?q=${encodeURIComponent(text)}&after=${encodeURIComponent(text)}`);
    expect(response.status).toBeLessThan(500);
    expect(await response.text()).not.toContain('<script>');
  }
  await carnet.close();
});
