import { createLogger } from '@carnet/provider/server';
import { adminOptions, adminServerOf } from '../admin-api.ts';
import { type Command, text, UsageError } from '../command.ts';
import { configOptions, loadPartsFromCommandLine } from '../config/command-line.ts';
import { firstSignal } from '../listener/first-signal.ts';
import { listen } from '../listener/listener.ts';
import { createClientKeysFetcher } from './fetch-client-keys.ts';
import { loadConsole, settingsOf } from './mount-console.ts';

const defaultUrl = 'http://localhost:4446/console';
/** How long requests in progress may take after the signal to stop. The default of `http.shutdownSeconds`. */
const shutdownSeconds = 10;
const timeoutMs = 10_000;

const portOf = (given: string | undefined, url: URL): number => {
  if (given !== undefined && !/^\d{1,5}$/.test(given)) throw new UsageError('--port must be a port: 0 to 65535.');
  return Number(given ?? (url.port || 4446));
};

export const consoleCommand: Command = {
  name: 'console',
  summary: 'Serve the console for operators on a port of its own, by the admin API of a running server.',
  options: {
    ...configOptions,
    endpoint: adminOptions.endpoint,
    'token-file': adminOptions['token-file'],
    'http-header': adminOptions['http-header'],
    host: { type: 'string', value: 'address', summary: 'The address to listen on. Default 127.0.0.1.' },
    port: { type: 'string', value: 'number', summary: 'The port to listen on. Default: that of console.url, or 4446.' },
  },
  examples: ['carnet console --config carnet.yaml', 'carnet console --dev --endpoint http://127.0.0.1:4445'],
  run: async (values, surface) => {
    const { env, out } = surface;
    const parts = ['issuer', 'console', 'log', 'outbound', 'dev'] as const;
    const { issuer, console: section, log, outbound, dev } = loadPartsFromCommandLine(values, surface, parts);
    if (section.access.viewer.length + section.access.operator.length === 0)
      throw new UsageError('No user may use the console: set console.access.operator (CONSOLE_ACCESS_OPERATOR).');
    const server = { ...adminServerOf(values, surface), timeoutMs };
    if (server.token === undefined)
      throw new UsageError('The console needs an admin token with all rights. Set ADMIN_TOKEN or --token-file.');
    const url = section.url ?? defaultUrl;
    const logger = createLogger(log);
    const stopped = firstSignal(env);
    const stopping = new AbortController();
    const { createConsoleOf, createNodeHandler, openAdminApiServer } = await loadConsole();
    // The cookies are encrypted by a key that is derived from the token: consoles with one token share their sessions.
    const settings = settingsOf(section, { url, secrets: [server.token], logger });
    const fetchClientKeys = createClientKeysFetcher({ outbound, dev }, logger);
    const console = await createConsoleOf(
      { ...(await openAdminApiServer({ issuer, ...server })), fetchClientKeys },
      {
        ...settings,
        // The console of `carnet serve` has another URL, and thus another client.
        clientId: 'carnet-console-apart',
        signal: stopping.signal,
      },
    );
    const handle = createNodeHandler(console, new URL(url));
    const listener = await listen({
      host: text(values, 'host') ?? '127.0.0.1',
      port: portOf(text(values, 'port'), new URL(url)),
      handler: (request, response) => handle(request, response, () => response.writeHead(404).end()),
      onError: (err) => logger.error({ err }, 'a request failed unexpectedly'),
    });
    out(`The console is ready at ${url}`);
    await stopped;
    stopping.abort();
    await listener.close(shutdownSeconds);
  },
};
