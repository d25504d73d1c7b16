import { once } from 'node:events';
import { type AccountsDatabase, createAttemptStore, createFactorStore, openAccountsDatabase } from '../src/index.ts';

/** Claims the ids that all processes claim, and uses the versions of one factor. */
const compete = async (database: AccountsDatabase) => {
  const factors = createFactorStore({ database });
  const factor = { id: 'contested', subject: 's', kind: 'totp', label: '', payload: '{}', counter: 0 } as const;
  await factors.add({ ...factor, confirmedAt: 1, createdAt: 1, lastUsedAt: undefined, version: 1 });
  const claims: string[] = [];
  const updates: number[] = [];
  for (let index = 0; index < 40; index++) {
    const id = `contested-${index}`;
    if (await factors.claim(id, Date.now() + 60_000)) claims.push(id);
    const [stored] = await factors.list('s');
    if (stored === undefined) throw new Error('The factor is missing.');
    const version = stored.version + 1;
    if (await factors.update({ ...stored, version })) updates.push(version);
  }
  return { claims, updates };
};

const count = async (database: AccountsDatabase) => {
  const attempts = createAttemptStore({ database });
  const counts: number[] = [];
  for (let index = 0; index < 50; index++) counts.push((await attempts.increment('contested', 600)).count);
  return counts;
};

const [url = ''] = process.argv.slice(2);
const database = await openAccountsDatabase({ url, migrate: true });
// Its parent sends `begin` to all processes when they are ready.
process.send?.('ready');
await once(process, 'message');
const result = { ...(await compete(database)), counts: await count(database) };
await database.close();
process.send?.(result);
process.disconnect();
