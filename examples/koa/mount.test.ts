import { bodyParser } from '@koa/bodyparser';
import Koa, { type Middleware } from 'koa';
import mount from 'koa-mount';
import { describe, expect, test } from 'vitest';
import { leavesBodiesIn, startMounted, worksIn } from '../mounted-provider.ts';

interface Options {
  readonly path?: string;
  readonly before?: Middleware[];
  readonly after?: Middleware[];
  readonly wrap?: (provider: Middleware) => Middleware;
}

const echo: Middleware = async (ctx, next) => {
  if (ctx.path === '/echo') ctx.body = { url: ctx.url, body: ctx.request.body ?? null };
  else await next();
};

/** A Koa application with the given middleware, the provider, and a route of its own. */
const opened = ({ path, before = [], after = [], wrap = (provider) => provider }: Options) =>
  startMounted({
    path,
    mount: (carnet) => {
      const app = new Koa();
      for (const middleware of [...before, wrap(carnet.koa()), ...after, echo]) app.use(middleware);
      return app.callback();
    },
  });

describe('koa() in Koa', () => {
  test.each([
    ['no body parser', []],
    ['bodyParser()', [bodyParser()]],
    ['bodyParser({ patchNode: true })', [bodyParser({ patchNode: true })]],
    ['bodyParser({ enableTypes: ["text"] })', [bodyParser({ enableTypes: ['text'], extendTypes: { text: ['*/*'] } })]],
  ])('works after %s', async (_what, before) => {
    await worksIn(await opened({ before }));
  });

  test('works before a body parser, and leaves it the bodies that are not the provider’s', async () => {
    const instance = await opened({ after: [bodyParser()] });
    await worksIn(instance);
    await leavesBodiesIn(instance);
  });

  test('works for an issuer with a path, at the root and with koa-mount', async () => {
    await worksIn(await opened({ path: '/op', before: [bodyParser()] }));
    await worksIn(await opened({ path: '/op', before: [bodyParser()], wrap: (provider) => mount('/op', provider) }));
  });

  test('what stands before it sees the status of the answer, and what fails behind it', async () => {
    const seen: unknown[] = [];
    const watch: Middleware = async (ctx, next) => {
      await next().catch((error: Error) => void seen.push(error.message));
      seen.push(ctx.res.statusCode);
    };
    const fail: Middleware = (ctx, next) => {
      if (ctx.path === '/fails') throw new Error('of the application');
      return next();
    };
    const { issuer } = await opened({ before: [watch], after: [fail] });
    await (await fetch(`${issuer}/oauth2/token`, { method: 'POST' })).text();
    await (await fetch(`${issuer}/fails`)).text();
    expect(seen).toEqual([400, 'of the application', 404]);
  });
});
