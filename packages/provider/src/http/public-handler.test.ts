import { listen } from '@carnet/test-servers/listen';
import { expect, onTestFinished, test } from 'vitest';
import { connectHandler, createPublicHandler, type PublicAnswer } from './public-handler.ts';
import type { CompleteResponse } from './response.ts';
import { exchange } from './web-handler.ts';

const open = (response: CompleteResponse) => {
  const failures: unknown[] = [];
  const answers: PublicAnswer[] = [];
  const handler = createPublicHandler({
    basePath: '',
    routeOf: (path) => path,
    isAllowedHost: () => true,
    requestId: () => 'request-1',
    handle: async () => response,
    onAnswer: (answer) => answers.push(answer),
    onError: (error) => failures.push(error),
  });
  return { handler, failures, answers };
};

const unsendable = { status: 200, headers: { 'X-Own': 'a\nb' }, text: 'ok' };

test('a response with a header that cannot be sent ends in one answer with 500, from a server of Node.js', async () => {
  const { handler, failures, answers } = open(unsendable);
  const { origin, close } = await listen(connectHandler(handler));
  onTestFinished(close);
  expect((await fetch(`${origin}/userinfo`)).status).toBe(500);
  await expect.poll(() => answers).toMatchObject([{ status: 500, requestId: 'request-1' }]);
  expect(failures).toHaveLength(1);
});

test('a response with a header that cannot be sent ends in one answer with 500, for a Web Request', async () => {
  const { Response: native } = globalThis;
  onTestFinished(() => void Object.assign(globalThis, { Response: native }));
  // As `@hono/node-server` does.
  Object.assign(globalThis, {
    Response: class {
      readonly status: number;
      constructor(_body: unknown, { status }: { readonly status: number }) {
        this.status = status;
      }
    },
  });
  const { handler, failures, answers } = open(unsendable);
  expect((await exchange(handler, new Request('https://id.example/userinfo'))).status).toBe(500);
  expect([answers.map(({ status }) => status), failures.length]).toEqual([[500], 1]);
});
