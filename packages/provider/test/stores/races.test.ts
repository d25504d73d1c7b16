import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTestPostgres } from '@carnet/test-servers';
import { afterAll } from 'vitest';
import { describeRaces } from './races.ts';

const folder = mkdtempSync(join(tmpdir(), 'carnet-races-'));
const postgres = await openTestPostgres();
afterAll(async () => {
  await postgres.close();
  rmSync(folder, { recursive: true, force: true });
});

describeRaces('SQLite', async () => ({ storage: { default: `sqlite:${join(folder, 'carnet.db')}` } }));
describeRaces('Postgres', async () => ({ storage: { default: postgres.url } }));
