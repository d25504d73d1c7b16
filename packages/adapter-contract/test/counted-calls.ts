import { consume, freshId, freshRecord, merge, put, remove, replace, revoke } from '../src/laws/records.ts';
import type { StorageAdapter } from '../src/port.ts';
import { loginWrites } from './login-writes.ts';

/** Commits a first login. */
export const login = async (store: StorageAdapter) => {
  const made = loginWrites();
  await store.commit(made.writes);
  return made;
};

type Prepare = (store: StorageAdapter) => Promise<() => Promise<unknown>>;

/** The calls whose statements are counted. Each resolves with the call once the store is prepared for it. */
export const countedCalls = {
  'read of twenty keys': async (store) => () => store.read(Array.from({ length: 20 }, () => freshRecord())),
  'first login (a claim, three puts)': async (store) => () => store.commit(loginWrites().writes),
  'refresh (a consume, two puts)': async (store) => {
    const { refresh, grantId } = await login(store);
    const tokens = [freshRecord({ kind: 'refresh_token', grantId }), freshRecord({ grantId })];
    return () => store.commit([consume(refresh), ...tokens.map(put)]);
  },
  revocation: async (store) => {
    const { grantId } = await login(store);
    return () => store.commit([revoke(grantId)]);
  },
  'logout (a consume, a merge, a remove, a revoke, a replacement)': async (store) => {
    const [session, other, gone] = [freshRecord({ kind: 'session' }), freshRecord(), freshRecord()];
    await store.commit([put(session), put(other), put(gone)]);
    return () =>
      store.commit([merge(session, 'client'), consume(session), remove(gone), revoke(freshId()), replace(other)]);
  },
  'page of clients': async (store) => () => store.list({ kind: 'client', limit: 10 }),
  'page of a scan': async (store) => () => store.scan({ limit: 10 }),
  sweep: async (store) => () => store.sweep(10),
  ping: async (store) => () => store.ping(),
} satisfies Readonly<Record<string, Prepare>>;

export type CountedCall = keyof typeof countedCalls;
