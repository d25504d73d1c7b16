// Preloaded into a server (`--import`): measures the delay of its event loop. SIGUSR2 writes the measured delays to
// EVENT_LOOP_FILE and starts again.
import { writeFileSync } from 'node:fs';
import { createHistogram } from 'node:perf_hooks';

const stepMs = 2;
const delays = createHistogram({ figures: 3 });
let dueAt = performance.now() + stepMs;

// After a block, every missed tick is recorded with its own delay: one long block has the weight of its length.
setInterval(() => {
  const now = performance.now();
  for (; dueAt <= now; dueAt += stepMs) delays.record(Math.max(1, Math.round((now - dueAt) * 1_000)));
}, stepMs).unref();

process.on('SIGUSR2', () => {
  const [p50, p99, max] = [delays.percentile(50), delays.percentile(99), delays.max].map((us) => us / 1_000);
  writeFileSync(process.env.EVENT_LOOP_FILE as string, JSON.stringify({ p50, p99, max }));
  delays.reset();
});
