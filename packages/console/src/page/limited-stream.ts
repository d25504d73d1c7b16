import type { ConsoleServer } from '../server/console-server.ts';
import type { PageContext } from './route.ts';

/** The streams that an operator may have open in this process: each reads the store every few seconds. */
const mostStreams = 20;

const counts = new WeakMap<ConsoleServer, Map<string, number>>();

/** Forwards a stream until it ends, or `signal` is aborted: then it ends without another byte. `onEnd` is called once. */
const untilAborted = (source: ReadableStream<Uint8Array>, signal: AbortSignal, onEnd: () => void): ReadableStream => {
  const reader = source.getReader();
  let isEnded = false;
  let onAbort = (): void => {};
  /** A stream that has ended must not be closed again: that would throw. */
  const end = (): void => {
    isEnded = true;
    signal.removeEventListener('abort', onAbort);
    onEnd();
  };
  const cancel = (): Promise<void> => {
    end();
    return reader.cancel();
  };
  // Without a queue: no event is kept that was read before the end.
  const strategy = { highWaterMark: 0 };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        onAbort = () => {
          controller.close();
          cancel().catch(() => undefined);
        };
        if (signal.aborted) onAbort();
        else signal.addEventListener('abort', onAbort);
      },
      async pull(controller) {
        const { done, value } = await reader.read();
        if (isEnded) return;
        if (!done) return controller.enqueue(value);
        end();
        controller.close();
      },
      cancel,
    },
    strategy,
  );
};

/**
 * A stream of events, or 429 if the operator has too many open. It ends with the session of the operator.
 *
 * @param longestMs the time after which the stream ends by itself
 * @param open called with a signal that is aborted when the browser goes away, or the session ends
 */
export const limitedStream = (
  {
    server,
    operator: { subject },
    signal,
    watchSession,
  }: Pick<PageContext, 'server' | 'operator' | 'signal' | 'watchSession'>,
  longestMs: number,
  open: (signal: AbortSignal) => Response,
): Response => {
  const ofServer = counts.get(server) ?? new Map<string, number>();
  counts.set(server, ofServer);
  const count = ofServer.get(subject) ?? 0;
  const retry = String(Math.ceil(longestMs / 1_000));
  if (count >= mostStreams) return new Response(null, { status: 429, headers: { 'retry-after': retry } });
  ofServer.set(subject, count + 1);
  const watch = watchSession();
  const ending = AbortSignal.any([signal, watch.ended]);
  let isReleased = false;
  const release = (): void => {
    if (isReleased) return;
    isReleased = true;
    clearTimeout(timer);
    watch.stop();
    const rest = (ofServer.get(subject) ?? 1) - 1;
    if (rest === 0) ofServer.delete(subject);
    else ofServer.set(subject, rest);
  };
  const timer = setTimeout(release, longestMs).unref();
  ending.addEventListener('abort', release, { once: true });
  const { body, headers } = open(ending);
  return new Response(body && untilAborted(body, ending, release), { headers });
};
