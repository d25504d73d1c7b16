import { request as httpRequest, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { listen } from '@carnet/test-servers/listen';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { CarnetError, GoneError } from '../errors.ts';
import { adminSecurityHeaders } from './response.ts';
import { type Answer, createRouter, type RouterOptions } from './router.ts';
import type { HttpResponse, Route } from './types.ts';

interface Call {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
}

const serve = async (listener: RequestListener) => {
  const { port, close } = await listen(listener);
  onTestFinished(close);
  return (path: string, { method = 'GET', headers = {}, body }: Call = {}) =>
    new Promise<{ status: number; headers: IncomingHttpHeaders; text: string }>((resolve, reject) => {
      const message = httpRequest(
        { port, host: '127.0.0.1', path, method, headers, agent: false },
        async (response) => {
          let text = '';
          for await (const chunk of response.setEncoding('utf8')) text += chunk;
          resolve({ status: response.statusCode as number, headers: response.headers, text });
        },
      );
      message.on('error', reject).end(body);
    });
};

const start = (routes: readonly Route[], options: Omit<RouterOptions, 'routes'> = {}) => {
  const router = createRouter({ routes, ...options });
  return serve((request, response) => void router(request, response));
};

const echo: Route = {
  method: 'GET',
  path: '/admin/clients/:id',
  handle: ({ params, query }) => ({ status: 200, body: { ...params, query: [...query] } }),
};
const create: Route = {
  method: 'POST',
  path: '/admin/clients',
  handle: async (request) => ({ status: 201, headers: { Location: '/x' }, body: { got: await request.json() } }),
};

const collectGarbage = async (): Promise<void> => {
  setFlagsFromString('--expose-gc');
  // A `WeakRef` keeps its target until the end of the turn.
  await setImmediate();
  runInNewContext('gc')();
};

describe('createRouter', () => {
  it('answers a route with JSON, its parameters and query decoded, the security headers on it', async () => {
    const call = await start([echo]);
    const { status, headers, text } = await call('/admin/clients/a%2Fb%20%C3%A9?x=1&x=%26');
    expect(status).toBe(200);
    expect(JSON.parse(text)).toEqual({
      id: 'a/b é',
      query: [
        ['x', '1'],
        ['x', '&'],
      ],
    });
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(text)),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'content-security-policy': "frame-ancestors 'none'",
    });
  });

  it('reads JSON whatever the Content-Type says, and forms', async () => {
    const form: Route = {
      method: 'POST',
      path: '/form',
      handle: async (request) => ({ status: 200, body: [...(await request.form())] }),
    };
    const call = await start([create, form]);
    const json = await call('/admin/clients', {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: '{"a":1}',
    });
    expect(json.status).toBe(201);
    expect(json.headers.location).toBe('/x');
    expect(JSON.parse(json.text)).toEqual({ got: { a: 1 } });
    const answer = await call('/form', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: 'a=1&b=%20+',
    });
    expect(JSON.parse(answer.text)).toEqual([
      ['a', '1'],
      ['b', '  '],
    ]);
  });

  it('refuses a body that is no strict JSON, that is compressed, and that is too large by word or by deed', async () => {
    const call = await start([create]);
    const post = (body: string, headers = {}) => call('/admin/clients', { method: 'POST', body, headers });
    expect((await post('{"a":1,"a":1}')).status).toBe(400);
    expect((await post('')).status).toBe(400);
    expect((await post('{}', { 'content-encoding': 'gzip' })).status).toBe(400);
    expect((await post('"'.repeat(262_145))).status).toBe(413);
    const chunked = await post('"'.repeat(300_000), { 'transfer-encoding': 'chunked' });
    expect(chunked.status).toBe(413);
    expect(JSON.parse(chunked.text)).toEqual({
      error: 'invalid_request',
      error_description: expect.stringContaining('262144 bytes'),
    });
    expect((await post(JSON.stringify('a'.repeat(262_142)))).status).toBe(201);
  });

  it('reads the body once for every reader', async () => {
    const twice: Route = {
      method: 'POST',
      path: '/twice',
      handle: async (request) => ({ status: 200, body: [await request.json(), (await request.body()).length] }),
    };
    const call = await start([twice]);
    expect((await call('/twice', { method: 'POST', body: '[1]' })).text).toBe('[[1],3]');
  });

  it('takes the body that a parser of the surrounding app has read', async () => {
    const router = createRouter({ routes: [create] });
    const call = await serve(async (request, response) => {
      for await (const _chunk of request);
      Object.assign(request, { body: { parsed: true } });
      await router(request, response);
    });
    expect((await call('/admin/clients', { method: 'POST', body: '{"a":1}' })).text).toBe('{"got":{"parsed":true}}');
  });

  it('takes the form that a parser of the surrounding app has read', async () => {
    const form: Route = { ...create, handle: async (request) => ({ status: 200, body: [...(await request.form())] }) };
    const router = createRouter({ routes: [form] });
    const call = await serve(async (request, response) => {
      for await (const _chunk of request);
      Object.assign(request, { body: { token: 'a b', scope: ['c', 'd'] } });
      await router(request, response);
    });
    const { text } = await call('/admin/clients', { method: 'POST', body: 'token=a+b&scope=c&scope=d' });
    expect(text).toBe('[["token","a b"],["scope","c"],["scope","d"]]');
  });

  it('answers an unknown path 404 and a wrong method 405 with Allow', async () => {
    const call = await start([echo, create, { ...echo, method: 'DELETE' }]);
    const missing = await call('/admin/nothing');
    expect(missing.status).toBe(404);
    expect(JSON.parse(missing.text)).toEqual({
      error: 'Unable to locate the resource',
      error_description: expect.any(String),
    });
    const wrong = await call('/admin/clients/x', { method: 'PUT' });
    expect(wrong.status).toBe(405);
    expect(wrong.headers.allow).toBe('GET, DELETE, HEAD');
    expect((await call('/admin/clients', { method: 'PURGE' })).headers.allow).toBe('POST');
  });

  it('answers HEAD like GET, without the body', async () => {
    const call = await start([echo]);
    const { status, headers, text } = await call('/admin/clients/x', { method: 'HEAD' });
    expect([status, text]).toEqual([200, '']);
    expect(Number(headers['content-length'])).toBeGreaterThan(0);
  });

  it('trims a trailing slash', async () => {
    const call = await start([echo]);
    expect((await call('/admin/clients/x/')).text).toContain('"id":"x"');
  });

  it.each([
    '//',
    '//admin//clients//x',
    '/admin/clients/%',
    '/admin/clients/%zz',
    '/admin/clients/%ff',
    '/admin/clients/%c0%af',
    '/admin/clients/%00/%00',
    '/%2e%2e/%2e%2e/etc/passwd',
    `/admin/clients/${'x'.repeat(5000)}`,
    `/${'a/'.repeat(3000)}`,
    '/admin/clients/x/y',
    '/;/?',
    '*',
    '/__proto__',
  ])('answers %s with 404, never 500', async (path) => {
    const call = await start([echo], { alsoWithoutAdminPrefix: true });
    expect((await call(path)).status).toBe(404);
  });

  it('understands a request target in absolute form', async () => {
    const call = await start([echo]);
    expect((await call('http://127.0.0.1/admin/clients/x?a=b')).text).toBe('{"id":"x","query":[["a","b"]]}');
  });

  it('serves the /admin routes without their prefix when told to, but for a path that is taken', async () => {
    const routes: Route[] = [
      echo,
      create,
      { ...echo, path: '/admin/version' },
      { ...echo, path: '/version', handle: () => ({ status: 204 }) },
    ];
    const call = await start(routes, { alsoWithoutAdminPrefix: true });
    expect((await call('/clients/x')).text).toContain('"id":"x"');
    expect((await call('/admin/clients/x')).text).toContain('"id":"x"');
    expect((await call('/version')).status).toBe(204);
    const strict = await start(routes);
    expect((await strict('/clients/x')).status).toBe(404);
  });

  it('asks authorize first, for unknown paths too', async () => {
    const authorize = () => {
      throw new CarnetError('unauthorized', 'No.');
    };
    const call = await start([echo], { authorize });
    expect((await call('/admin/clients/x')).status).toBe(401);
    expect((await call('/nowhere')).status).toBe(401);
  });

  it('does not ask authorize on a route that is open, whatever its spelling; on another method of the path it does', async () => {
    const authorize = () => {
      throw new CarnetError('unauthorized', 'No.');
    };
    const routes: Route[] = [{ ...echo, isOpen: true }, { ...echo, method: 'DELETE' }, create];
    const call = await start(routes, { authorize, alsoWithoutAdminPrefix: true });
    for (const path of ['/admin/clients/x', '/admin/clients/x/', '/clients/x', '/%63lients/x']) {
      expect((await call(path)).status).toBe(200);
    }
    expect((await call('/clients/x', { method: 'HEAD' })).status).toBe(200);
    for (const method of ['DELETE', 'PUT']) expect((await call('/clients/x', { method })).status).toBe(401);
    expect((await call('/clients', { method: 'POST', body: '1' })).status).toBe(401);
  });

  it('renders what handlers throw: 410 with redirect_to, 503 with Retry-After, all else as 500 that tells nothing', async () => {
    const failing = (path: string, error: unknown): Route => ({
      method: 'GET',
      path,
      handle: () => {
        throw error;
      },
    });
    const call = await start([
      failing('/gone', new GoneError('https://id.example/start', 'Too old.')),
      failing('/busy', new CarnetError('too_busy', 'Later.')),
      failing('/bug', new TypeError('x is not a function, password=hunter2')),
    ]);
    const gone = await call('/gone');
    expect([gone.status, JSON.parse(gone.text)]).toEqual([410, { redirect_to: 'https://id.example/start' }]);
    const busy = await call('/busy');
    expect([busy.status, busy.headers['retry-after']]).toEqual([503, '1']);
    expect(JSON.parse(busy.text)).toEqual({ error: 'temporarily_unavailable', error_description: 'Later.' });
    const bug = await call('/bug');
    expect([bug.status, JSON.parse(bug.text).error]).toEqual([500, 'server_error']);
    expect(bug.text).not.toContain('hunter2');
  });

  it('names the request id in a 500 and tells it with the error to onAnswer', async () => {
    const answers: Answer[] = [];
    const bug = new Error('bug');
    const route: Route = { ...echo, handle: () => Promise.reject(bug) };
    const call = await start([route], { requestId: () => 'r-1', onAnswer: (answer) => answers.push(answer) });
    expect((await call('/admin/clients/x')).text).toContain('r-1');
    expect(answers).toEqual([
      {
        method: 'GET',
        route: '/admin/clients/:id',
        params: { id: 'x' },
        query: new URLSearchParams(),
        audit: undefined,
        status: 500,
        requestId: 'r-1',
        error: bug,
        durationMs: expect.any(Number),
      },
    ]);
  });

  it.each<[string, HttpResponse]>([
    ['a header that cannot be sent', { status: 200, headers: { 'X-Own': 'a\nb' }, body: 'x' }],
    ['a body that is no JSON', { status: 200, body: { count: 1n } }],
  ])('answers 500 to a response with %s, and tells onAnswer', async (_, response) => {
    const answers: Answer[] = [];
    const route: Route = { ...echo, handle: () => response };
    const router = createRouter({ routes: [route], onAnswer: (answer) => answers.push(answer) });
    const outcomes: Promise<void>[] = [];
    const call = await serve((message, target) => {
      const outcome = router(message, target);
      outcomes.push(outcome);
      outcome.catch(() => target.destroy());
    });
    expect((await call('/admin/clients/x')).status).toBe(500);
    await Promise.all(outcomes);
    expect(answers).toMatchObject([{ status: 500, error: expect.any(TypeError) }]);
  });

  it("lets a response's headers win over the defaults, and GETs of the admin API carry Hydra's Cache-Control", async () => {
    const own: Route = {
      ...echo,
      path: '/own',
      handle: () => ({ status: 200, headers: { 'Cache-Control': 'max-age=9' }, body: 'x' }),
    };
    const call = await start([own, echo, create], { responseHeaders: adminSecurityHeaders });
    expect((await call('/own')).headers['cache-control']).toBe('max-age=9');
    const get = await call('/admin/clients/x');
    expect(get.headers['cache-control']).toBe('private, no-cache, no-store, must-revalidate');
    const post = await call('/admin/clients', { method: 'POST', body: '1' });
    expect(post.headers['cache-control']).toBe('no-store');
  });

  it('keeps the handlers of a route table, not its descriptions', async () => {
    const described = () => {
      const route: Route = { ...echo, operationId: 'echo', summary: 'Echo.', answers: { 200: z.looseObject({}) } };
      return { answer: new WeakRef(route.answers ?? {}), routes: [route] };
    };
    const { answer, ...table } = described();
    const call = await start(table.routes.splice(0));
    await collectGarbage();
    expect(answer.deref()).toBeUndefined();
    expect((await call('/admin/clients/one')).status).toBe(200);
  });

  it('does not mix up the handlers and the properties of tables with the same paths', async () => {
    const at = (text: string, own: Partial<Route>): Route => ({
      ...echo,
      ...own,
      handle: () => ({ status: 200, body: text }),
    });
    const authorize = () => {
      throw new CarnetError('unauthorized', 'A token is missing.');
    };
    const [closed, open, other] = await Promise.all([
      start([at('closed', {})], { authorize }),
      start([at('open', { isOpen: true })], { authorize }),
      start([at('other', {})]),
    ]);
    const answers = await Promise.all([closed, open, other].map((call) => call('/admin/clients/one')));
    expect(answers.map(({ status, text }) => (status === 200 ? text : status))).toEqual([401, 'open', 'other']);
  });
});
