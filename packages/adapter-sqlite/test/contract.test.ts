import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { laws, reasonToSkip } from '@carnet/adapter-contract/laws';
import { openAdapter } from '@carnet/adapter-sqlite';
import { afterAll, describe, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'carnet-sqlite-'));
const open = () => openAdapter({ url: `sqlite:${folder}/carnet.db` });
const store = await open();
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

// packages/adapter-contract/README.md shows this program.
describe('the SQLite adapter keeps the laws of the storage port', () => {
  for (const law of laws) {
    const reason = reasonToSkip(law, store.capabilities);
    test.skipIf(reason)(reason ? `${law.name} (${reason})` : law.name, () => law.check({ store, open }));
  }
});
