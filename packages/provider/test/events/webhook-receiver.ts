import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { waitUntil } from '@carnet/test-servers';
import { listen } from '@carnet/test-servers/listen';
import { onTestFinished } from 'vitest';

export interface ReceivedEvent {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly event: { readonly id: string; readonly type: string; readonly data: Readonly<Record<string, unknown>> };
}

interface ReceiverAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A program that receives events, on a port of its own. */
export const startReceiver = async () => {
  const received: ReceivedEvent[] = [];
  /** `undefined`: no answer. */
  let answer: (event: ReceivedEvent) => ReceiverAnswer | undefined = () => ({ status: 204 });
  const receive: RequestListener = async (request, response) => {
    const body = await text(request);
    const one: ReceivedEvent = { headers: request.headers, body, event: JSON.parse(body) };
    received.push(one);
    const answered = answer(one);
    if (answered !== undefined) response.writeHead(answered.status, { ...answered.headers }).end();
  };
  const { origin, close } = await listen(receive);
  onTestFinished(close);
  return {
    url: `${origin}/events?tenant=a`,
    origin,
    received,
    answerWith(next: typeof answer): void {
      answer = next;
    },
    types: (): readonly string[] => received.map(({ event }) => event.type),
    /** Resolves when so many requests have come. */
    async until(count: number): Promise<readonly ReceivedEvent[]> {
      await waitUntil(`${count} events`, async () => received.length >= count, { withinSeconds: 15, pollMs: 10 });
      return received;
    },
  };
};

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

export const webhookSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** A webhook of the configuration. */
export const webhookAt = (
  { url }: Pick<Receiver, 'url'>,
  more: { name?: string; secret?: string; types?: string[] } = {},
) => ({
  name: 'crm',
  url,
  secret: webhookSecret,
  ...more,
});
