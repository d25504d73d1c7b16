import type { FigureSource } from '../../charts/figure-source.ts';
import { p95 } from '../../charts/totals.ts';
import { fill } from '../../messages/fill.ts';
import type { Language } from '../../messages/languages.ts';
import { overviewMessages } from '../../messages/overview/index.ts';
import { formatNumber } from '../../page/dates.ts';
import type { ConsoleServer } from '../../server/console-server.ts';

/** The figures that change while the page is open, as texts by their names in the page. */
export type LiveFigures = Readonly<Record<'store' | 'logins' | 'refusals' | 'requests' | 'p95' | 'memory', string>>;

const mebibyte = 1_048_576;

export const liveFigures = async (
  server: Pick<ConsoleServer, 'ready'>,
  source: FigureSource,
  language: Language,
): Promise<LiveFigures> => {
  const texts = overviewMessages(language);
  const isReady = await server.ready().then(
    () => true,
    () => false,
  );
  const { total } = await source.read('day');
  const totals = total?.totals;
  const memory = source.memory();
  const count = (value: number | undefined): string => (value === undefined ? '–' : formatNumber(value, language));
  const seconds = totals && p95(totals);
  const ms = seconds === undefined ? undefined : formatNumber(seconds * 1000, language, { maximumFractionDigits: 1 });
  return {
    store: isReady ? texts.storeOk : texts.storeDown,
    logins: count(totals?.logins),
    refusals: count(totals?.refusals),
    requests: count(totals?.requests),
    p95: ms === undefined ? '–' : fill(texts.milliseconds, { value: ms }),
    memory: memory === undefined ? '–' : `${count(Math.round(memory / mebibyte))} MiB`,
  };
};

const intervalMs = 5_000;
/** The browser connects again, and its operator is checked again: a session that has ended gets nothing more. */
export const longestMs = 30_000;

/** The figures every five seconds, as server-sent events. */
export const liveStream = (read: () => Promise<LiveFigures>, signal: AbortSignal): Response => {
  const encoder = new TextEncoder();
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => clearInterval(timer);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const endAt = performance.now() + longestMs;
      const send = async (): Promise<void> => {
        try {
          const figures = await read();
          controller.enqueue(encoder.encode(`retry: 2000\ndata: ${JSON.stringify(figures)}\n\n`));
          if (performance.now() < endAt) return;
          controller.close();
        } catch {
          // The browser has gone away.
        }
        stop();
      };
      timer = setInterval(() => void send(), intervalMs);
      signal.addEventListener('abort', stop, { once: true });
      return send();
    },
    cancel: stop,
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' } });
};
