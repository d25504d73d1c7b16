// `npm run measure`: the memory and the CPU time that each further issuer takes in this process.
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createIssuers } from './issuers.ts';

const kind = process.argv[2] === 'sqlite' ? 'sqlite' : 'memory';
const count = Number(process.argv[3] ?? 50);
const folder = mkdtempSync(join(tmpdir(), 'carnet-issuers-'));

/** Resident memory in MB, after garbage was collected. */
const residentMb = async (): Promise<number> => {
  for (let round = 0; round < 5; round++) {
    globalThis.gc?.();
    await pause(100);
  }
  return process.memoryUsage.rss() / 2 ** 20;
};

const issuers = createIssuers({
  origin: 'http://127.0.0.1:1',
  hasTenant: () => true,
  storeOf: (tenant) => (kind === 'sqlite' ? `sqlite:${join(folder, tenant)}.db` : 'memory:'),
});
// The first issuer loads the code that all of them share.
await issuers.find('first');
const before = await residentMb();
const start = process.cpuUsage();
for (let index = 0; index < count; index++) await issuers.find(`tenant-${index}`);
const { user, system } = process.cpuUsage(start);
const cpuMs = (user + system) / 1000;
const after = await residentMb();
console.log(
  `${kind}, Node.js ${process.version}, ${cpus().length} x ${cpus()[0]?.model}: one issuer ${before.toFixed(0)} MB, ` +
    `${count} more ${after.toFixed(0)} MB: ${((after - before) / count).toFixed(2)} MB and ${(cpuMs / count).toFixed(0)} ms of CPU each`,
);
await issuers.close();
rmSync(folder, { recursive: true });
