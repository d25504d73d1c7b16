import { redactUrl } from '@carnet/provider/config';
import { createLogger, type Logger } from '@carnet/provider/server';
import { type Command, type ExitCode, exitCodes, type Surface, UsageError } from '../command.ts';
import { releaseCompiledCode } from '../compile-cache.ts';
import { configOptions, devFolder, loadFromCommandLine } from '../config/command-line.ts';
import { keepDevSecrets } from '../config/dev-folder.ts';
import type { Loaded } from '../config/load-config.ts';
import { firstSignal } from '../listener/first-signal.ts';
import { accountsPackages, missingPackages } from '../load-package.ts';
import { runPrimary } from './primary.ts';
import { readableLines } from './readable-lines.ts';
import { type ListenerName, listenerNames, openServer } from './server.ts';
import { collectSooner } from './worker-memory.ts';

const announceDev = ({ config, issuers, generated }: Loaded, { out }: Surface): void => {
  if (!config.dev) return;
  out('Development mode: not for production.');
  for (const key of generated) out(`  generated   ${key} (kept in ${devFolder})`);
  out(`  store       ${redactUrl(config.storage.default)}`);
  out(`  issuer      ${config.issuer}`);
  for (const [name, own] of issuers) out(`  issuer      ${own.issuer} (${name})`);
  out(`  admin API   http://${config.admin.host}:${config.admin.port}`);
  const missing = missingPackages(accountsPackages);
  if (config.accounts === undefined && missing.length > 0) {
    out(`  users       none: \`npm install ${missing.join(' ')}\` adds a demo user and sign-up`);
  }
  if (config.accounts?.demoUser) out('  users       demo@example.com with the password carnet-demo; sign-up is on');
  out(`  login page  ${config.urls.login}`);
  out(`  consent     ${config.urls.consent}`);
};

interface Serving {
  readonly loaded: Loaded;
  readonly logger: Logger;
  readonly stopped: Promise<string>;
  readonly only: ListenerName | undefined;
  readonly env: Surface['env'];
}

const serveAlone = async ({ loaded, logger, stopped, only, env }: Serving): Promise<ExitCode> => {
  const { config, issuers, source } = loaded;
  collectSooner(env, issuers.size > 0);
  const server = await openServer({ config, issuers: [...issuers] }, logger, { only, source });
  logger.info({ ...server.urls, workers: 1 }, 'ready');
  releaseCompiledCode();
  const signal = await stopped;
  logger.info({ signal }, 'stopping');
  await server.close();
  logger.info('stopped');
  return exitCodes.ok;
};

const listenerOf = (operands: readonly string[]): ListenerName | undefined => {
  const [operand = 'all', ...more] = operands;
  const only = listenerNames.find((name) => name === operand);
  if (more.length > 0 || (only === undefined && operand !== 'all')) {
    throw new UsageError('Use serve, serve all, serve public or serve admin.');
  }
  return only;
};

export const serve: Command = {
  name: 'serve',
  summary: 'Serve the public and the admin listener, or one of them.',
  operands: '[all|public|admin]',
  options: {
    ...configOptions,
    workers: { type: 'string', value: 'number', summary: 'How many processes serve. Default 1.' },
  },
  examples: ['carnet serve --dev', 'carnet serve public --config carnet.yaml --workers 2'],
  run: async (values, surface, operands) => {
    const only = listenerOf(operands);
    const loaded = loadFromCommandLine(values, surface);
    const { dev, log, workers } = loaded.config;
    const isReadable = dev && workers === 1 && surface.isTerminal === true;
    const logger = isReadable ? createLogger(log, readableLines(surface.out)) : createLogger(log);
    if (loaded.config.dev) keepDevSecrets(devFolder, loaded.config, loaded.generated);
    announceDev(loaded, surface);
    for (const warning of loaded.warnings) logger.warn({ warning }, 'configuration');
    const stopped = firstSignal(surface.env);
    if (loaded.config.workers === 1) return serveAlone({ loaded, logger, stopped, only, env: surface.env });
    const {
      config,
      issuers,
      // Each worker has the environment.
      source: { env: _, ...source },
    } = loaded;
    const { err, env } = surface;
    return runPrimary({ config, issuers: [...issuers], source, only, logger, err, env, stopped });
  },
};
