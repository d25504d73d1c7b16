// One request every 20 ms, in a process of its own. The first message has the options, the second one ends the requests.
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { openHttpPool } from '../users/http-pool.ts';
import type { ProbeOptions } from './probe.ts';

const intervalMs = 20;

process.once('disconnect', () => process.exit());
const [{ url, request }] = (await once(process, 'message')) as [ProbeOptions];
let isOver = false;
process.once('message', () => {
  isOver = true;
});
const pool = openHttpPool(url, 1);
const latencies: number[] = [];
while (!isOver) {
  const at = performance.now();
  await pool.send(request, 200);
  latencies.push(performance.now() - at);
  await pause(intervalMs);
}
pool.close();
process.send?.(latencies);
