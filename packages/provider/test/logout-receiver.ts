import type { RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { listen } from '@carnet/test-servers/listen';
import { decodeJwt } from 'jose';
import { onTestFinished } from 'vitest';

export interface ReceivedLogout {
  readonly url: string;
  readonly contentType: string | undefined;
  readonly form: URLSearchParams;
  readonly token: string;
}

/** A relying party's back-channel logout endpoint, on a port of its own. */
export interface LogoutReceiver {
  readonly url: string;
  /** In the order in which they came. */
  readonly received: readonly ReceivedLogout[];
  /** What the next requests are answered with, the last of them for ever. 0: not at all. Default 200. */
  answerWith(...statuses: readonly number[]): void;
  /** Resolves when so many requests have come. Rejects when the test has ended before, such as by its time limit. */
  until(count: number): Promise<readonly ReceivedLogout[]>;
  /** The `sid` claims of what came. */
  sids(): readonly unknown[];
  forget(): void;
  close(): Promise<void>;
}

export const startLogoutReceiver = async (port = 0): Promise<LogoutReceiver> => {
  const received: ReceivedLogout[] = [];
  let statuses: number[] = [];
  const receive: RequestListener = async (request, response) => {
    const form = new URLSearchParams(await text(request));
    received.push({
      url: request.url ?? '',
      contentType: request.headers['content-type'],
      form,
      token: form.get('logout_token') ?? '',
    });
    const status = (statuses.length > 1 ? statuses.shift() : statuses[0]) ?? 200;
    if (status !== 0) response.writeHead(status).end();
  };
  const { origin, close } = await listen(receive, port);
  return {
    url: `${origin}/backchannel?tenant=a%20b`,
    received,
    answerWith: (...next) => {
      statuses = [...next];
    },
    async until(count) {
      let isOver = false;
      onTestFinished(() => {
        isOver = true;
      });
      while (received.length < count) {
        if (isOver) throw new Error(`The test ended with ${received.length} of ${count} logout requests.`);
        await delay(5);
      }
      return received;
    },
    sids: () => received.map(({ token }) => decodeJwt(token).sid),
    forget() {
      received.length = 0;
      statuses = [];
    },
    close,
  };
};
