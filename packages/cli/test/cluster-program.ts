// What cluster.test.ts runs: the primary and the workers of `carnet serve`, around a server that says who it is.
import cluster from 'node:cluster';
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createLogger } from '../../provider/src/telemetry/logger.ts';
import { loadConfig } from '../src/config/load-config.ts';
import { firstSignal } from '../src/listener/first-signal.ts';
import { listen } from '../src/listener/listener.ts';
import { runPrimary } from '../src/serve/primary.ts';
import { runWorker } from '../src/serve/worker.ts';

const fingerprint = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');

const exitCode = cluster.isPrimary
  ? await runPrimary({
      // A URL that may be shared; nothing opens it.
      config: loadConfig({
        dev: true,
        workers: 2,
        env: { DATABASE_URL: 'sqlite:', PORT: '0', ADMIN_PORT: '0' },
      }).config,
      issuers: [],
      logger: createLogger({ level: 'info' }),
      env: {},
      err: (line) => process.stderr.write(`${line}\n`),
      stopped: firstSignal({}),
    })
  : await runWorker(async ({ config }) => {
      const how = process.argv[2];
      if (how === 'fail') throw new Error('the store is away');
      if (how === 'crash-early' && cluster.worker?.id === 1) setTimeout(() => process.exit(9), 200);
      if (how === 'crash-early' && cluster.worker?.id === 2) await delay(1_500);
      const listener = await listen({
        host: '127.0.0.1',
        port: 0,
        handler: (request, response) => {
          if (request.url === '/crash') process.exit(9);
          if (request.url !== '/keep') response.setHeader('connection', 'close');
          response.end(JSON.stringify({ pid: process.pid, generated: fingerprint([config.secrets, config.keys]) }));
        },
      });
      return {
        urls: { publicUrl: listener.url, adminUrl: listener.url },
        metrics: async () => [],
        purgeUserCache: async () => 0,
        close: () => listener.close(10),
      };
    });
process.exit(exitCode);
