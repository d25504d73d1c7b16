import type { IncomingMessage, RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '@carnet/test-servers/listen';
import { afterEach, describe, expect, it } from 'vitest';
import { openHttpRequests } from './http-requests.ts';

const closing: (() => unknown)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

const serve = async (listener: RequestListener): Promise<string> => {
  const { origin, close } = await listen(listener);
  closing.push(close);
  return origin;
};

const open = async (...args: Parameters<typeof openHttpRequests>) => {
  const requests = await openHttpRequests(...args);
  closing.push(() => void requests.close());
  return requests;
};

describe('requests of the load generator', () => {
  it('carry bodies, queries and authorizations in turn', async () => {
    const seen: string[] = [];
    const describeRequest = async (request: IncomingMessage) =>
      seen.push(`${request.method} ${request.url} ${request.headers.authorization} ${await text(request)}`);
    const url = await serve(async (request, response) => {
      await describeRequest(request);
      response.end('{}');
    });
    const work = {
      kind: 'requests',
      url: `${url}/token`,
      method: 'POST',
      bodies: ['one', 'two'],
      queries: ['?a', '?b'],
      authorizations: ['Basic 1', 'Basic 2'],
    } as const;
    const { run } = await open(work, 1);
    await run();
    await run();
    expect(seen).toEqual(['POST /token?a Basic 1 one', 'POST /token?b Basic 2 two']);
  });

  it('wait for a connection that is free', async () => {
    let atOnce = 0;
    let most = 0;
    const url = await serve((_, response) => {
      most = Math.max(most, ++atOnce);
      setTimeout(() => {
        atOnce -= 1;
        response.end('{}');
      }, 2);
    });
    const { run } = await open({ kind: 'requests', url }, 2);
    await Promise.all(Array.from({ length: 20 }, run));
    expect(most).toBe(2);
  });

  it.each<[string, RequestListener]>([
    ['a chunked body', (_, response) => void response.write('{"a":', () => response.end('1}'))],
    ['a body of known length', (_, response) => void response.setHeader('content-length', 7).end('{"a":1}')],
    [
      'a body that comes in pieces',
      (_, response) => {
        response.setHeader('content-length', 7).write('{"a"');
        setTimeout(() => response.end(':1}'), 5);
      },
    ],
  ])('read %s', async (_, listener) => {
    const bodies: string[] = [];
    const isRight = (body: string) => bodies.push(body) > 0;
    const { run } = await open({ kind: 'requests', url: await serve(listener), isRight }, 1);
    await run();
    await run();
    expect(bodies).toEqual(['{"a":1}', '{"a":1}']);
  });

  it('fail for another status, and for a body that is not right', async () => {
    const url = await serve((_, response) => void response.writeHead(404).end('nothing'));
    await expect((await open({ kind: 'requests', url }, 1)).run()).rejects.toThrow('404');
    const wrong = { kind: 'requests', url, status: 404, isRight: () => false } as const;
    await expect((await open(wrong, 1)).run()).rejects.toThrow('nothing');
  });

  it('fail, and do not wait for ever, where the server closes the connection', async () => {
    const url = await serve((request) => request.socket.destroy());
    const { run } = await open({ kind: 'requests', url }, 1);
    const outcomes = await Promise.allSettled([run(), run()]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(run()).rejects.toThrow(url);
  });
});
