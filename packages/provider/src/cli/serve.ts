import cluster from 'node:cluster';
import { keepDevSecrets } from '../config/dev-folder.ts';
import type { Loaded } from '../config/load-config.ts';
import { redact } from '../config/print.ts';
import { createLogger, type Logger } from '../telemetry/logger.ts';
import { type Command, type ExitCode, exitCodes, type Surface } from './command.ts';
import { firstSignal } from './first-signal.ts';
import { configOptions, devFolder, loadFromCommandLine } from './load.ts';
import { runPrimary } from './primary.ts';
import { openServer } from './server.ts';
import { runWorker } from './worker.ts';

const announceDev = ({ config, generated }: Loaded, { out }: Surface): void => {
  if (!config.dev) return;
  out('Development mode: not for production.');
  for (const key of generated) out(`  generated   ${key} (kept in ${devFolder}, for this folder only)`);
  out(`  store       ${redact(config).storage.default}`);
  out(`  issuer      ${config.issuer}`);
  out(`  admin API   http://${config.admin.host}:${config.admin.port}`);
  out(`  login page  ${config.urls.login}`);
  out(`  consent     ${config.urls.consent}`);
};

const serveAlone = async ({ config }: Loaded, logger: Logger, stopped: Promise<string>): Promise<ExitCode> => {
  const server = await openServer(config, logger);
  logger.info({ publicUrl: server.publicUrl, adminUrl: server.adminUrl, workers: 1 }, 'ready');
  const signal = await stopped;
  logger.info({ signal }, 'stopping');
  await server.close();
  logger.info('stopped');
  return exitCodes.ok;
};

export const serve: Command = {
  name: 'serve',
  summary: 'Serve the public and the admin listener.',
  options: {
    ...configOptions,
    workers: { type: 'string', value: 'number', summary: 'How many processes serve. Default 1.' },
  },
  run: async (values, surface) => {
    if (cluster.isWorker) return runWorker();
    const loaded = loadFromCommandLine(values, surface);
    const logger = createLogger(loaded.config.log);
    if (loaded.config.dev) keepDevSecrets(devFolder, loaded.config, loaded.generated);
    announceDev(loaded, surface);
    for (const warning of loaded.warnings) logger.warn({ warning }, 'configuration');
    const stopped = firstSignal(surface.env);
    if (loaded.config.workers === 1) return serveAlone(loaded, logger, stopped);
    return runPrimary({ config: loaded.config, logger, err: surface.err, stopped });
  },
};
