import { type Command, type ExitCode, exitCodes, type Surface, text, UsageError, type Values } from '../command.ts';
import { configOptions, loadPartsFromCommandLine } from '../config/command-line.ts';
import type { Environment } from '../env.ts';
import { askHealth, type HealthAnswer } from './ask-health.ts';

/** Below the ten seconds after which Docker and Kubernetes usually end a check. */
const timeoutMs = 4_000;

interface Address {
  readonly host?: string;
  readonly port?: string | number;
}

/** A listener that is bound to every address is asked by loopback, whose Host header it accepts. */
const originOf = ({ host = '', port }: Address, fallbackPort: number): string => {
  const name = host === '' || host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port || fallbackPort}`;
};

const addresses = (values: Values, surface: Surface): { admin: Address; pub: Address } => {
  const { env } = surface;
  if (text(values, 'config') === undefined) {
    return { admin: { host: env.ADMIN_HOST, port: env.ADMIN_PORT }, pub: { host: env.HOST, port: env.PORT } };
  }
  const config = loadPartsFromCommandLine(values, surface, ['public', 'admin']);
  return { admin: config.admin, pub: config.public };
};

const pagesOf = ({ HOST, PORT }: Environment): string => `${originOf({ host: HOST, port: PORT }, 3000)}/`;

/** The health URLs of this machine in the order in which they are asked: admin API, public listener, pages. */
const candidates = (values: Values, surface: Surface): readonly string[] => {
  if (values.ui === true) return [pagesOf(surface.env)];
  const { admin, pub } = addresses(values, surface);
  const path = `/health/${values.alive === true ? 'alive' : 'ready'}`;
  return [`${originOf(admin, 4445)}${path}`, `${originOf(pub, 4444)}${path}`, pagesOf(surface.env)];
};

/** The URL of `--url`. An origin alone is asked for its readiness. */
const urlGiven = (values: Values): string | undefined => {
  const given = text(values, 'url');
  if (given === undefined) return undefined;
  if (!URL.canParse(given) || new URL(given).protocol !== 'http:') {
    throw new UsageError('--url must be an http URL, such as http://127.0.0.1:4445.');
  }
  const url = new URL(given);
  if (url.pathname === '/' && values.ui !== true) url.pathname = `/health/${values.alive === true ? 'alive' : 'ready'}`;
  return url.href;
};

/** Whether there is no such listener: the port is closed, or the pages listen there, which have no such path. */
const isAbsent = (answer: HealthAnswer): boolean => ('reason' in answer ? answer.isRefused : answer.status === 404);

const report = (url: string, answer: HealthAnswer, { out, err }: Surface): ExitCode => {
  const isHealthy = 'status' in answer && answer.status === 200;
  if (isHealthy) out(`healthy: ${url}`);
  else if ('status' in answer) err(`unhealthy: ${url} answers ${answer.status} ${answer.body}`);
  else err(`unhealthy: ${url}: ${answer.reason}`);
  return isHealthy ? exitCodes.ok : exitCodes.failed;
};

export const health: Command = {
  name: 'health',
  summary: 'Check the health of the server or of the pages on this machine: exit code 0 or 1.',
  options: {
    config: configOptions.config,
    url: { type: 'string', value: 'url', summary: 'The listener to check. Default: admin API, public one or pages.' },
    alive: { type: 'boolean', summary: 'Check that the process is alive, whatever the state of its store.' },
    ui: { type: 'boolean', summary: 'Check the pages of `carnet ui`.' },
  },
  examples: ['carnet health', 'carnet health --url http://127.0.0.1:4445'],
  run: async (values, surface) => {
    const given = urlGiven(values);
    const urls = given === undefined ? candidates(values, surface) : [given];
    for (const url of urls) {
      const answer = await askHealth(new URL(url), timeoutMs);
      if (!isAbsent(answer)) return report(url, answer, surface);
    }
    surface.err(`unhealthy: no listener at ${urls.join(', ')}`);
    return exitCodes.failed;
  },
};
