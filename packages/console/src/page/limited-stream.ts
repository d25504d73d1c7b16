import type { ConsoleServer } from '../server/console-server.ts';
import type { PageContext, StreamSlot } from './route.ts';

/** The streams that an operator may have open in this process: each reads the store every few seconds. */
const mostStreams = 20;

type StreamContext = Pick<PageContext, 'server' | 'operator' | 'signal' | 'watchSession'>;

/** How many streams of a kind are open at once in this process, and how long one lasts. */
export interface StreamLimits {
  readonly kind: 'live' | 'import';
  readonly mostOfOperator: number;
  /** Default: unlimited. */
  readonly most?: number;
  /** The time after which a stream ends by itself. */
  readonly longestMs: number;
}

const counts = new WeakMap<ConsoleServer, Map<string, number>>();

const change = (counted: Map<string, number>, key: string, by: number): void => {
  const count = (counted.get(key) ?? 0) + by;
  if (count === 0) counted.delete(key);
  else counted.set(key, count);
};

/** A place for a stream. Undefined if too many of its kind are open. */
export const takeSlot = (
  { server, operator, signal, watchSession }: StreamContext,
  { kind, mostOfOperator, most = Number.POSITIVE_INFINITY, longestMs }: StreamLimits,
): StreamSlot | undefined => {
  const counted = counts.get(server) ?? new Map<string, number>();
  counts.set(server, counted);
  const keys = [kind, `${kind} ${operator.subject}`] as const;
  const [ofAll, ofOperator] = keys.map((key) => counted.get(key) ?? 0) as [number, number];
  if (ofAll >= most || ofOperator >= mostOfOperator) return undefined;
  for (const key of keys) change(counted, key, 1);
  const watch = watchSession();
  const late = new AbortController();
  const ending = AbortSignal.any([signal, watch.ended, late.signal]);
  let isReleased = false;
  const release = (): void => {
    if (isReleased) return;
    isReleased = true;
    clearTimeout(timer);
    watch.stop();
    for (const key of keys) change(counted, key, -1);
  };
  const timer = setTimeout(() => late.abort(), longestMs).unref();
  ending.addEventListener('abort', release, { once: true });
  return { ending, release };
};

/** Forwards a stream until it ends, or its slot ends: then it ends without another byte. */
export const untilAborted = (
  source: ReadableStream<Uint8Array>,
  { ending: signal, release: onEnd }: StreamSlot,
): ReadableStream => {
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

const encoder = new TextEncoder();

/** The texts as the body of a response. */
export const encoded = (texts: AsyncGenerator<string>): ReadableStream<Uint8Array> =>
  new ReadableStream({
    async pull(controller) {
      const { done, value } = await texts.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    cancel: async () => void (await texts.return(undefined)),
  });

/** A stream of events, or 429 if the operator has too many open. It ends with the session of the operator. */
export const limitedStream = (
  context: StreamContext,
  longestMs: number,
  open: (signal: AbortSignal) => Response,
): Response => {
  const slot = takeSlot(context, { kind: 'live', mostOfOperator: mostStreams, longestMs });
  const retry = String(Math.ceil(longestMs / 1_000));
  if (slot === undefined) return new Response(null, { status: 429, headers: { 'retry-after': retry } });
  const { body, headers } = open(slot.ending);
  return new Response(body && untilAborted(body, slot), { headers });
};
