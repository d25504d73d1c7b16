import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '@carnet/test-servers';
import { issuer } from './browser.ts';
import { type Program, startProgram } from './programs.ts';

const main = fileURLToPath(new URL('../../../packages/cli/src/main.ts', import.meta.url));
const conditions = ['--conditions=@carnet/source', '--disable-warning=ExperimentalWarning', main];

export const user = { email: 'ada@example.com', password: 'a long password of Ada' };

/** Carnet and its pages as the comments of deploy/proxies require them: behind one proxy on this machine. */
export interface Provider extends Pick<Program, 'stop'> {
  readonly carnetPort: number;
  readonly pagesPort: number;
  readonly adminUrl: string;
}

type Environment = Readonly<Record<string, string>>;

const carnet = async (args: readonly string[], env: Environment, cwd: string, input = ''): Promise<void> => {
  const child = spawn(process.execPath, [...conditions, ...args], { env, cwd, stdio: ['pipe', 'pipe', 'pipe'] });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk));
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`carnet ${args.join(' ')}: exit code ${code}\n${Buffer.concat(output)}`);
};

export const startProvider = async (folder: string): Promise<Provider> => {
  const [carnetPort, adminPort, pagesPort] = [await findFreePort(), await findFreePort(), await findFreePort()];
  const base = { PATH: process.env.PATH ?? '', HOME: folder, NODE_ENV: 'production' };
  const env = {
    ...base,
    ...{ ISSUER: issuer, PORT: String(carnetPort), ADMIN_PORT: String(adminPort), TRUSTED_PROXIES: '127.0.0.1' },
    ...{ SECRETS_SYSTEM: 's'.repeat(32), KEYS_SOURCE: 'store', KEYS_ALGORITHMS: 'RS256' },
    ...{ DATABASE_URL: 'sqlite:carnet.db', STORAGE_MIGRATE: 'true', LOG_LEVEL: 'warn' },
    ...{ ACCOUNTS_DATABASE: 'sqlite:accounts.db', ACCOUNTS_DIRECTORIES: '[{"name":"users","kind":"sql"}]' },
    ...{ URLS_LOGIN: `${issuer}/login`, URLS_CONSENT: `${issuer}/consent`, URLS_ERROR: `${issuer}/error` },
    ...{ FEATURES_MTLS: 'true', CLIENT_CERTIFICATE_HEADER: 'X-Client-Certificate' },
    CLIENT_VERIFIED_HEADER: 'X-Client-Verify',
  };
  await carnet(['users', 'create', '--email', user.email, '--password-stdin'], env, folder, user.password);
  const start = (args: readonly string[], variables: Environment, port: number): Promise<Program> =>
    startProgram({ command: process.execPath, args: [...conditions, ...args], env: variables, cwd: folder, port });
  const adminUrl = `http://127.0.0.1:${adminPort}`;
  const server = await start(['serve'], env, carnetPort);
  const pagesEnv = { ...base, PORT: String(pagesPort), CARNET_ISSUER: issuer, CARNET_ADMIN_URL: adminUrl };
  const pages = await start(['ui'], { ...pagesEnv, TRUSTED_PROXY_HOPS: '1' }, pagesPort);
  const stop = async (): Promise<void> => {
    await Promise.all([server.stop(), pages.stop()]);
  };
  return { carnetPort, pagesPort, adminUrl, stop };
};
