// Preloaded into a server (`--import`): how late its event loop is. SIGUSR2 writes what was seen to EVENT_LOOP_FILE, and
// begins anew.
import { writeFileSync } from 'node:fs';
import { createHistogram } from 'node:perf_hooks';

const stepMs = 2;
const delays = createHistogram({ figures: 3 });
let dueAt = performance.now() + stepMs;

// All that were due meanwhile are late, each by its own time: one long block counts as long as it lasted.
setInterval(() => {
  const now = performance.now();
  for (; dueAt <= now; dueAt += stepMs) delays.record(Math.max(1, Math.round((now - dueAt) * 1_000)));
}, stepMs).unref();

process.on('SIGUSR2', () => {
  const [p50, p99, max] = [delays.percentile(50), delays.percentile(99), delays.max].map((us) => us / 1_000);
  writeFileSync(process.env.EVENT_LOOP_FILE as string, JSON.stringify({ p50, p99, max }));
  delays.reset();
});
