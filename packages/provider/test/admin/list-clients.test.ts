import { openMemoryAdapter } from '@carnet/adapter-memory';
import { describe, expect, it } from 'vitest';
import { createClientStore } from '../../src/clients/client-store.ts';
import { refusal } from '../call.ts';
import { startAdmin } from './start-admin.ts';

const listOf = async (
  call: Awaited<ReturnType<typeof startAdmin>>['call'],
  path: string,
): Promise<{ ids: string[][]; links: string[] }> => {
  const ids: string[][] = [];
  const links: string[] = [];
  let next: string | undefined = path;
  while (next !== undefined) {
    const { status, body, headers } = await call('GET', next);
    expect(status).toBe(200);
    ids.push(body.map((client: { client_id: string }) => client.client_id));
    const link = headers.get('link') ?? '';
    links.push(link);
    next = /<([^>]*)>; rel="next"/.exec(link)?.[1];
  }
  return { ids, links };
};

describe('GET /admin/clients', () => {
  const startWith = async (count: number) => {
    const started = await startAdmin();
    const ids = Array.from({ length: count }, (_, i) => `app-${i}`);
    for (const [i, client_id] of ids.entries()) {
      const members = { owner: i % 3 === 0 ? 'me' : 'you', client_name: `name-${i % 2}` };
      await started.call('POST', '/admin/clients', { client_id, ...members });
    }
    return { ...started, ids };
  };

  it('answers an empty array with a link to the first page where there is no client', async () => {
    const { call } = await startAdmin();
    const { body, headers } = await call('GET', '/admin/clients');
    expect(body).toEqual([]);
    expect(headers.get('link')).toMatch(/^<\/admin\/clients\?page_size=100&page_token=[\w-]+>; rel="first"$/);
  });

  it('lists all clients in pages that the Link header joins', async () => {
    const { call, ids } = await startWith(7);
    const { ids: pages, links } = await listOf(call, '/admin/clients?page_size=3');
    expect(pages.map((page) => page.length)).toEqual([3, 3, 1]);
    expect(pages.flat().sort()).toEqual([...ids].sort());
    expect(links[0]).toMatch(/rel="first",<\/admin\/clients\?page_size=3&page_token=[\w-]+>; rel="next"$/);
    const first = /<([^>]*)>; rel="first"/.exec(links[2] as string)?.[1] as string;
    expect((await listOf(call, first)).ids[0]).toEqual(pages[0]);
  });

  it('never shows a secret or its hash', async () => {
    const { call } = await startWith(2);
    const { text } = await call('GET', '/admin/clients');
    expect(text).not.toMatch(/client_secret"|\$sha256|\$2b/);
  });

  it.each([1, 2, 3, 100])('finds by owner and name, each once, in pages of %d', async (size) => {
    const { call, ids } = await startWith(13);
    const mine = ids.filter((_, i) => i % 3 === 0);
    const byOwner = await listOf(call, `/admin/clients?owner=me&page_size=${size}`);
    expect(byOwner.ids.flat().sort()).toEqual([...mine].sort());
    for (const page of byOwner.ids) expect(page.length).toBeLessThanOrEqual(size);
    const both = await listOf(call, `/admin/clients?owner=me&client_name=name-1&page_size=${size}`);
    expect(both.ids.flat().sort()).toEqual(ids.filter((_, i) => i % 3 === 0 && i % 2 === 1).sort());
    expect((await listOf(call, `/admin/clients?owner=nobody&page_size=${size}`)).ids.flat()).toEqual([]);
  });

  it('asks the store for no more than 500, whatever page_size says, and for 100 without', async () => {
    const limits: number[] = [];
    const clients = createClientStore({ adapter: openMemoryAdapter() });
    const list: typeof clients.list = (query) => {
      limits.push(query.limit);
      return clients.list(query);
    };
    const { call } = await startAdmin({ clients: { ...clients, list } });
    for (const size of ['', '?page_size=0', '?page_size=250', '?page_size=500000'])
      await call('GET', `/admin/clients${size}`);
    expect(limits).toEqual([100, 100, 250, 500]);
  });

  it('looks at a bounded number of clients for a filter that matches none', async () => {
    let lists = 0;
    const clients = createClientStore({ adapter: openMemoryAdapter() });
    const endless = async () => ({ records: [], next: String(++lists) });
    const { call } = await startAdmin({ clients: { ...clients, list: endless } });
    const { body, headers } = await call('GET', '/admin/clients?owner=me');
    expect(body).toEqual([]);
    expect(lists).toBe(20);
    expect(headers.get('link')).toContain('owner=me>; rel="next"');
  });

  it.each(['page_size=x', 'page_size=-1', 'page_size=1.5', 'page_token=nonsense'])(
    'answers 400 for %s',
    async (query) => {
      const { call } = await startAdmin();
      expect(await call('GET', `/admin/clients?${query}`)).toMatchObject(refusal('invalid_request'));
    },
  );
});
