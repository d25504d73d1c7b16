import type { ConsoleServer } from '../server/console-server.ts';
import type { PageContext } from './route.ts';

/** The streams that an operator may have open in this process: each reads the store every few seconds. */
const mostStreams = 20;

const counts = new WeakMap<ConsoleServer, Map<string, number>>();

/**
 * A stream of events, or 429 if the operator has too many open.
 *
 * @param longestMs the time after which the stream ends by itself
 */
export const limitedStream = (
  { server, operator: { subject }, signal }: Pick<PageContext, 'server' | 'operator' | 'signal'>,
  longestMs: number,
  open: () => Response,
): Response => {
  const ofServer = counts.get(server) ?? new Map<string, number>();
  counts.set(server, ofServer);
  const count = ofServer.get(subject) ?? 0;
  const retry = String(Math.ceil(longestMs / 1_000));
  if (count >= mostStreams) return new Response(null, { status: 429, headers: { 'retry-after': retry } });
  ofServer.set(subject, count + 1);
  const release = (): void => {
    clearTimeout(timer);
    signal.removeEventListener('abort', release);
    const rest = (ofServer.get(subject) ?? 1) - 1;
    if (rest === 0) ofServer.delete(subject);
    else ofServer.set(subject, rest);
  };
  const timer = setTimeout(release, longestMs).unref();
  signal.addEventListener('abort', release);
  return open();
};
