import { type Command, exitCodes, UsageError } from '../command.ts';
import type { Environment } from '../env.ts';
import { firstSignal } from '../listener/first-signal.ts';
import { listen } from '../listener/listener.ts';
import { openPages } from './open-pages.ts';

/** How long requests in progress may take after the signal to stop. The default of `http.shutdownSeconds`. */
const shutdownSeconds = 10;

const addressOf = ({ HOST, PORT }: Environment): { host: string; port: number } => {
  const port = PORT || '3000';
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) throw new UsageError('PORT must be a port: 0 to 65535.');
  return { host: HOST || '127.0.0.1', port: Number(port) };
};

export const ui: Command = {
  name: 'ui',
  summary: 'Serve the bundled pages: login, consent, logout, device and account. They read variables only.',
  options: {},
  examples: ['carnet ui'],
  run: async (_values, { env, out, err }) => {
    const address = addressOf(env);
    const stopped = firstSignal(env);
    const pages = await openPages();
    const onError = (error: unknown): void => err(`carnet: a request failed unexpectedly: ${error}`);
    const listener = await listen({ ...address, handler: pages.handler, onError });
    out(`The pages are ready at ${listener.url}`);
    await stopped;
    await listener.close(shutdownSeconds);
    await pages.close();
    return exitCodes.ok;
  },
};
