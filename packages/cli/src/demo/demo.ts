import { createHmac } from 'node:crypto';
import { isLoopbackHost } from '@carnet/adapter-contract/kit';
import { createLogger } from '@carnet/provider/server';
import { type Command, type Surface, text, UsageError, type Values } from '../command.ts';
import { devFolder } from '../config/command-line.ts';
import { keepDevSecrets } from '../config/dev-folder.ts';
import { type Loaded, loadConfig } from '../config/load-config.ts';
import type { CommandConfig } from '../config/schema.ts';
import { firstSignal } from '../listener/first-signal.ts';
import { type Listener, listen } from '../listener/listener.ts';
import { accountsPackages, assertInstalled, missingPackages } from '../load-package.ts';
import { openServer } from '../serve/server.ts';
import { openPages } from '../ui/open-pages.ts';

/** A URL on this machine. The password of the demo user is public, so that no other machine may be named. */
const localUrl = (values: Values, name: string, fallback: string): URL => {
  const given = text(values, name) ?? fallback;
  const url = URL.canParse(given) ? new URL(given) : undefined;
  const isLocal = url !== undefined && isLoopbackHost(url.hostname);
  if (!isLocal || url.protocol !== 'http:' || url.pathname !== '/') {
    throw new UsageError(`--${name} must be an http URL on this machine without a path, such as ${fallback}.`);
  }
  return url;
};

const portOf = (url: URL): string => url.port || '80';

const loadDemo = (issuer: URL, pages: URL, { env }: Surface): Loaded => {
  const own = { ISSUER: issuer.origin, PORT: portOf(issuer), ADMIN_HOST: '127.0.0.1' };
  const hasConsole = missingPackages(['@carnet/console']).length === 0;
  // The pages of the console about events are empty without them.
  const events = hasConsole && missingPackages(['@carnet/events']).length === 0 ? { EVENTS_RETENTION: '7d' } : {};
  const variables = { LOG_LEVEL: 'warn', CONSOLE_ENABLED: String(hasConsole), ...events, ...env, ...own };
  const loaded = loadConfig({
    env: variables,
    dev: true,
    workers: 1,
    devFolder,
    devPages: pages.origin,
  });
  keepDevSecrets(devFolder, loaded.config, loaded.generated);
  return loaded;
};

/** Survives a restart, as the secrets of dev mode do. */
const cookieSecretOf = ({ secrets }: CommandConfig): string =>
  createHmac('sha256', secrets.system[0] as string)
    .update('cookies of the demo pages')
    .digest('base64url');

const settingsOf = (config: CommandConfig, adminUrl: string, pages: URL): Record<string, string> => ({
  CARNET_ADMIN_URL: adminUrl,
  CARNET_ADMIN_TOKEN: config.admin.token ?? '',
  CARNET_ISSUER: config.issuer,
  CARNET_UI_URL: pages.origin,
  UI_COOKIE_SECRET: cookieSecretOf(config),
});

const announce = ({ out }: Surface, { issuer }: CommandConfig, pages: URL, consoleUrl: string | undefined): void => {
  out('Carnet is running, for a trial only: the password below is public.');
  out('');
  out(`  Open       ${pages.origin}/account`);
  out('  Sign in    demo@example.com');
  out('  Password   carnet-demo');
  if (consoleUrl !== undefined) out(`  Console    ${consoleUrl}`);
  out('');
  out(`  Issuer     ${issuer}`);
  out(`  Data       ${devFolder}, which holds users, keys and tokens`);
  out('  Emails     are shown here');
};

export const demo: Command = {
  name: 'demo',
  summary: 'Serve the provider and the pages with a demo user, for a trial. Never in production.',
  options: {
    issuer: { type: 'string', value: 'url', summary: 'The issuer. Default http://localhost:4444.' },
    pages: { type: 'string', value: 'url', summary: 'The URL of the pages. Default http://localhost:3000.' },
  },
  examples: ['carnet demo', 'carnet demo --issuer http://localhost:5444 --pages http://localhost:5000'],
  run: async (values, surface) => {
    const issuer = localUrl(values, 'issuer', 'http://localhost:4444');
    const pages = localUrl(values, 'pages', 'http://localhost:3000');
    const stopped = firstSignal(surface.env);
    assertInstalled([...accountsPackages, '@carnet/consent-ui']);
    const { config, source } = loadDemo(issuer, pages, surface);
    const logger = createLogger(config.log);
    const server = await openServer({ config, issuers: [] }, logger, { source });
    const listeners: Pick<Listener, 'close'>[] = [];
    try {
      // After the server: the pages ask it for its accounts when they start.
      const { handler } = await openPages(settingsOf(config, server.urls.adminUrl ?? '', pages));
      const onError = (err: unknown): void => logger.error({ err }, 'a page failed unexpectedly');
      listeners.push(await listen({ host: config.public.host, port: Number(portOf(pages)), handler, onError }));
      announce(surface, config, pages, server.urls.consoleUrl);
      await stopped;
    } finally {
      await Promise.all(listeners.map((listener) => listener.close(config.http.shutdownSeconds)));
      await server.close();
    }
  },
};
