import { existsSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createPageMetrics } from './page-metrics.ts';

/** The pages, ready to be served. */
export interface ConsentUi {
  readonly handler: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** The durations of the requests so far, and memory and CPU time, in the text format of Prometheus. */
  metrics(): string;
  close(): Promise<void>;
}

/** The parts of Next.js that serve a build. Its own types are not readable to both of our module resolutions. */
interface NextApp {
  prepare(): Promise<void>;
  getRequestHandler(): ConsentUi['handler'];
  close(): Promise<void>;
}
type CreateNextApp = (options: { dev: boolean; dir: string; quiet: boolean }) => NextApp;

/** The built pages, and the files of Next.js that they need. Both `src/serve` and `dist/serve` are two levels below the package. */
const appFolder = fileURLToPath(new URL('../../dist/app/', import.meta.url));

const assertBuilt = (): void => {
  if (existsSync(join(appFolder, '.next', 'BUILD_ID'))) return;
  throw new Error('The pages are not built. Run `npm run setup` in the root of the clone.');
};

/** The configuration of the build. With it, Next.js needs no `next.config.ts`, and thus no compiler. */
const readBuildConfig = (): unknown => {
  const file = join(appFolder, '.next', 'required-server-files.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { config: unknown }).config;
};

/**
 * Opens the built pages for a server of the caller. They read their settings from the environment (see the README of
 * this package), and write no file.
 *
 * Sets `NODE_ENV` to `production` and switches the telemetry of Next.js off, for the whole process. An invalid setting
 * ends the process with exit code 1 and a message that names each.
 *
 * @param settings variables that override the environment, for the whole process
 * @throws Error if the pages are not built
 */
export const openConsentUi = async (settings: Readonly<Record<string, string>> = {}): Promise<ConsentUi> => {
  assertBuilt();
  Object.assign(process.env, settings, {
    NODE_ENV: 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    __NEXT_PRIVATE_STANDALONE_CONFIG: JSON.stringify(readBuildConfig()),
  });
  // Loaded here: Next.js reads these variables when it is loaded.
  const createNextApp = createRequire(appFolder)('next') as CreateNextApp;
  const app = createNextApp({ dev: false, dir: appFolder, quiet: true });
  await app.prepare();
  const handle = app.getRequestHandler();
  const metrics = createPageMetrics();
  return {
    handler: async (request, response) => {
      metrics.observe(request, response);
      // The Request of the Web platform, which Next.js makes, does not exist for TRACE: it would answer 500.
      if (request.method === 'TRACE') response.writeHead(405, { Allow: 'GET, HEAD, POST' }).end();
      else await handle(request, response);
    },
    metrics: metrics.render,
    close: () => app.close(),
  };
};
