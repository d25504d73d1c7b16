import { openMemoryAdapter } from '@carnet/adapter-memory';
import { expect, it } from 'vitest';
import { withClientLimit } from './client-limit.ts';
import { clientMetadata } from './client-record.ts';
import { createClientStore } from './client-store.ts';
import { parseClient } from './parse-client.ts';

const client = (id: string) => ({
  id,
  metadata: clientMetadata(id, parseClient({}).metadata, '2026-01-01T00:00:00Z'),
  secrets: [],
});

it('clients that are created at the same time are accepted while places are free, and refused when none is', async () => {
  const store = withClientLimit(createClientStore({ adapter: openMemoryAdapter() }), 5);
  const created = await Promise.allSettled(['a', 'b', 'c', 'd'].map((id) => store.create(client(id))));
  expect(created.map(({ status }) => status)).toEqual(Array.from({ length: 4 }, () => 'fulfilled'));
  await store.create(client('e'));
  await expect(store.create(client('f'))).rejects.toMatchObject({ code: 'request_forbidden' });
});
