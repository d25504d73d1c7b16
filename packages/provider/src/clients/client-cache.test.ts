import { describe, expect, it } from 'vitest';
import { createClientCache } from './client-cache.ts';
import { clientMetadata, toStoredRecord } from './client-record.ts';
import { parseClient } from './parse-client.ts';

const found = (id: string, nameLength: number) => ({
  ...toStoredRecord({
    id,
    metadata: clientMetadata(
      id,
      { ...parseClient({}).metadata, client_name: 'x'.repeat(nameLength) },
      '2026-01-01T00:00:00Z',
    ),
    secrets: [],
  }),
  consumedAt: null,
  members: [],
});

describe('the cache of clients', () => {
  const caching = (maxCharacters: number) => createClientCache({ maxEntries: 1_000, maxCharacters, now: () => 0 });
  const isKept = (cache: ReturnType<typeof caching>) => (id: string) => cache.get(id, 1) !== undefined;
  const ids = Array.from({ length: 100 }, (_, index) => `client-${index}`);

  it('keeps no more than so many characters, of those that were asked for last', () => {
    const cache = caching(100_000);
    for (const id of ids) cache.intern(found(id, 10_000), cache.beginRead());
    const kept = ids.filter(isKept(cache));
    expect(kept.length).toBeLessThan(10);
    expect(kept).toEqual(ids.slice(-kept.length));
  });

  it('keeps what was listed only where there is room', () => {
    const cache = caching(100_000);
    for (const id of ids) cache.intern(found(id, 10_000), cache.beginRead(), 'scan');
    const kept = ids.filter(isKept(cache));
    expect(kept.length).toBeGreaterThan(5);
    expect(kept).toEqual(ids.slice(0, kept.length));
  });

  it('answers with a client that is too long to be kept', () => {
    const cache = caching(1_000);
    const large = found('large', 10_000);
    expect(cache.intern(large, cache.beginRead()).id).toBe('large');
    expect(isKept(cache)('large')).toBe(false);
  });
});
