import { fork } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ConfigInput } from '@carnet/provider';
import { type Browser, createBrowser } from '../browser.ts';
import { consentPage, loginPage, testKeys, testSecret } from '../harness.ts';
import type { Held } from './fault-points.ts';
import type { Addresses, Message, Order, ProgramOptions } from './provider-program.ts';

/** The issuer of all processes. No process listens there: each is asked at its own address. */
export const issuer = 'http://127.0.0.2';

/** Many processes start: compiled once, they do so in half the time. */
const compileCache = join(tmpdir(), 'node-compile-cache');

const program = fileURLToPath(new URL('provider-program.ts', import.meta.url));

export interface StartOptions {
  readonly storage: NonNullable<ConfigInput['storage']>;
  readonly config?: Partial<ConfigInput>;
  /** Default false. */
  readonly hasFaultPoints?: boolean;
  /** By how much its clock is ahead, in milliseconds. Default 0. */
  readonly aheadMs?: number;
}

/** A provider in a process of its own; `issuer` is where this one is asked. */
export interface ProviderProcess extends Addresses {
  /** A browser whose requests to the issuer come to this process. */
  browser(cookies?: ReadonlyMap<string, string>): Browser;
  setClock(aheadMs: number): void;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** From now on it ends itself when so many requests have come to their stops; resolves with them when it has. */
  dieWith(count: number): Promise<readonly Held[]>;
}

/** A browser whose requests to the issuer of a provider come to where that listens. */
export const browserAt = (
  origin: string,
  cookies: ReadonlyMap<string, string> = new Map(),
  from: string = issuer,
): Browser => {
  const browser = createBrowser(new Map(cookies));
  return { cookies: browser.cookies, get: (url) => browser.get(url.replace(from, origin)) };
};

const configOf = ({ storage, config }: StartOptions): ConfigInput => ({
  dev: true,
  issuer,
  storage,
  secrets: { system: [testSecret] },
  keys: { jwks: testKeys as never, idTokenAlg: 'ES256' },
  urls: {
    login: loginPage,
    consent: consentPage,
    logout: 'http://login.test/logout',
    error: 'http://login.test/error',
  },
  clientSecrets: { bcryptCost: 4 },
  http: { allowedHosts: ['127.0.0.1:*'] },
  // Long enough for the slowest machine between a request and its retry.
  tokens: { refreshGraceSeconds: 300 },
  log: { level: 'error' },
  ...config,
});

/** Starts a provider with the keys and secrets of the tests; it ends with the process that started it. */
export const startProvider = async (options: StartOptions): Promise<ProviderProcess> => {
  const { hasFaultPoints = false, aheadMs } = options;
  const child = fork(
    program,
    [JSON.stringify({ config: configOf(options), hasFaultPoints, aheadMs } satisfies ProgramOptions)],
    {
      execArgv: ['--conditions=@carnet/source', '--disable-warning=ExperimentalWarning'],
      env: { NODE_COMPILE_CACHE: compileCache },
    },
  );
  const exited = once(child, 'exit');
  const next = (): Promise<Message> =>
    Promise.race([
      once(child, 'message').then(([message]) => message as Message),
      exited.then(([code, signal]) => Promise.reject(new Error(`the provider ended: ${code ?? signal}`))),
    ]);
  const message = await next();
  if (!('ready' in message)) throw new Error('the provider has not said where it is');
  const { ready } = message;
  return {
    ...ready,
    browser: (cookies) => browserAt(ready.issuer, cookies),
    setClock: (ms) => void child.send({ aheadMs: ms } satisfies Order),
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    async dieWith(count) {
      const told = next();
      child.send({ dieWith: count } satisfies Order);
      const last = await told;
      await exited;
      return 'held' in last ? last.held : [];
    },
  };
};
