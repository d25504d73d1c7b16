import { beforeTests } from '@carnet/test-servers/before-tests';
import { describe, expect, test } from 'vitest';
import { redirectUri } from '../clients.ts';
import { openDocumentHost } from '../document-host.ts';
import type { Instance } from '../harness.ts';
import { authorizationUrl, refresh } from '../login.ts';
import { isAsked, pathOf, useDocuments } from './documents.ts';

const { host, open, documented } = useDocuments();

const document = { redirect_uris: [redirectUri], scope: 'openid offline_access profile' };

describe('the documents in memory', () => {
  test('are fetched once by requests at the same time, and again when their headers and the bounds say so', async () => {
    let nowMs = Date.now();
    const instance = await open({ cacheMin: 60, cacheMax: '1h' }, { now: () => nowMs });
    const id = documented({}, { 'cache-control': 'max-age=600' });
    expect(await Promise.all([1, 2, 3, 4].map(() => isAsked(instance, id)))).toEqual([true, true, true, true]);
    nowMs += 599_000;
    expect(await isAsked(instance, id)).toBe(true);
    expect(host().fetched).toHaveLength(1);
    nowMs += 2_000;
    expect(await isAsked(instance, id)).toBe(true);
    expect(host().fetched).toHaveLength(2);
  });

  test('are used while their host fails, no longer than cacheMax; one that is gone is refused at once', async () => {
    let nowMs = Date.now();
    const instance = await open({ cacheMin: 60, cacheMax: '1h' }, { now: () => nowMs });
    const id = documented();
    const ask = async () => (await refresh(instance, { id }, 'x')).status;
    expect(await isAsked(instance, id)).toBe(true);
    host().answer(pathOf(id), { status: 503 });
    nowMs += 120_000;
    expect(await isAsked(instance, id)).toBe(true);
    nowMs += 3_600_000;
    expect(await ask()).toBe(503);
    const gone = documented();
    expect(await isAsked(instance, gone)).toBe(true);
    host().answer(pathOf(gone), { status: 404 });
    nowMs += 120_000;
    expect(await isAsked(instance, gone)).toBe(false);
  });

  test('are fetched at most maxFetchesPerMinute / 12 times for one network at one host, whatever ids its callers invent; cached documents stay in use', async () => {
    let nowMs = Date.now();
    const instance = await open({ maxFetchesPerMinute: 60, cacheMin: 60 }, { now: () => nowMs });
    const id = documented();
    expect(await isAsked(instance, id)).toBe(true);
    const invented = Array.from({ length: 20 }, (_, n) => host().answer(`/invented-${n}`, { status: 404 }));
    const answers = await Promise.all(invented.map((each) => refresh(instance, { id: each }, 'x')));
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(4);
    expect(answers.filter(({ status }) => status === 503)).toHaveLength(16);
    expect(host().fetched).toHaveLength(5);
    nowMs += 61_000;
    await Promise.all(invented.map((each) => refresh(instance, { id: each }, 'x')));
    expect(await isAsked(instance, id)).toBe(true);
  });

  test('are fetched again while a flood of invented ids uses up the fetches, and refused when they are gone', async () => {
    let nowMs = Date.now();
    const instance = await open({ maxFetchesPerMinute: 30, cacheMin: 60 }, { now: () => nowMs });
    const id = documented();
    expect(await isAsked(instance, id)).toBe(true);
    host().answer(pathOf(id), { status: 404 });
    nowMs += 61_000;
    for (let n = 0; n < 10; n += 1) {
      const invented = host().answer(`/flood-${n}`, { status: 404 });
      await refresh(instance, { id: invented }, 'x');
    }
    expect(await isAsked(instance, id)).toBe(false);
  });

  describe('a flood of invented ids', () => {
    const nowMs = Date.now();
    const behindProxy = { config: { http: { trustedProxies: ['127.0.0.1/32'] } }, now: () => nowMs };
    const other = beforeTests(() => openDocumentHost());

    /** Whether the login app is asked for a client, when a browser with this address comes with its id. */
    const isAskedFrom = async (instance: Instance, address: string, id: string): Promise<boolean> => {
      const headers = { 'x-forwarded-for': address };
      const response = await fetch(authorizationUrl(instance, { id }), { headers, redirect: 'manual' });
      return response.headers.get('location')?.includes('login_challenge') === true;
    };
    const flood = async (instance: Instance, address: (n: number) => string) => {
      for (let n = 0; n < 60; n += 1)
        await isAskedFrom(instance, address(n), host().answer(`/invented-${n}`, { status: 404 }));
    };

    test('from one network leaves fetches to the others, also at the same host', async () => {
      const instance = await open({}, behindProxy);
      await flood(instance, (n) => `203.0.113.${n}`);
      expect(host().fetched).toHaveLength(5);
      expect(await isAskedFrom(instance, '203.0.113.99', documented())).toBe(false);
      expect(await isAskedFrom(instance, '198.51.100.7', documented())).toBe(true);
      await flood(instance, (n) => `2001:db8:1:${n}::1`);
      expect(await isAskedFrom(instance, '2001:db8:2::1', other.put('/of-another-host.json', document))).toBe(true);
    });

    test('from three networks at one host leaves fetches at this host to the others', async () => {
      const instance = await open({}, behindProxy);
      await flood(instance, (n) => `10.${n % 2}.0.${n}`);
      await flood(instance, (n) => `2001:db8:1:${n}::1`);
      expect(await isAskedFrom(instance, '198.51.100.7', documented())).toBe(true);
    });

    test('at one host leaves fetches to the others', async () => {
      const instance = await open({}, behindProxy);
      await flood(instance, (n) => `10.${n}.0.1`);
      expect(host().fetched).toHaveLength(20);
      expect(await isAskedFrom(instance, '198.51.100.7', documented())).toBe(false);
      expect(await isAskedFrom(instance, '198.51.100.7', other.put('/client.json', document))).toBe(true);
    });
  });

  test('are no more than maxDocuments', async () => {
    const instance = await open({ maxDocuments: 10, maxFetchesPerMinute: 180 });
    const ids = Array.from({ length: 11 }, () => documented());
    for (const id of ids) expect(await isAsked(instance, id)).toBe(true);
    expect(await isAsked(instance, ids[0] ?? '')).toBe(true);
    expect(host().fetched).toHaveLength(12);
  });
});
