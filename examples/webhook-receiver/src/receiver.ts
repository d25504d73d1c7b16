import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { isFromCarnet } from './verify.ts';

interface CarnetEvent {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly subject?: string };
}

interface ReceiverOptions {
  readonly secret: string;
  /** Called once for each event. If it throws, Carnet sends the event again. */
  readonly handle: (event: CarnetEvent) => Promise<void>;
}

/** A server that receives events. */
export const createReceiver = ({ secret, handle }: ReceiverOptions) => {
  // In production, a table with a unique index: an event may come again days later.
  const handled = new Set<string>();
  return createServer(async (request, response) => {
    const body = await text(request);
    if (!isFromCarnet(request.headers, body, secret)) {
      response.writeHead(401).end();
      return;
    }
    const event = JSON.parse(body) as CarnetEvent;
    try {
      if (!handled.has(event.id)) await handle(event);
      handled.add(event.id);
      response.writeHead(204).end();
    } catch {
      response.writeHead(500).end();
    }
  });
};
