import express, { type RequestHandler } from 'express';
import { describe, expect, test } from 'vitest';
import { leavesBodiesIn, startMounted, worksIn } from '../mounted-provider.ts';

/** An Express application with the given middleware, the provider, and a route of its own. */
const opened = (path: string, at: string, before: RequestHandler[], after: RequestHandler[] = []) =>
  startMounted({
    path,
    mount: (carnet) => {
      const app = express();
      for (const middleware of before) app.use(middleware);
      app.use(at, carnet.callback());
      for (const middleware of after) app.use(middleware);
      app.all('/echo', (req, res) => void res.json({ url: req.url, body: req.body ?? null }));
      return app;
    },
  });

describe('callback() in Express', () => {
  test.each([
    ['no body parser', []],
    ['express.urlencoded()', [express.urlencoded()]],
    ['express.urlencoded({ extended: true })', [express.urlencoded({ extended: true })]],
    ['express.json()', [express.json()]],
    ['express.text({ type: "*/*" })', [express.text({ type: '*/*' })]],
    ['express.raw({ type: "*/*" })', [express.raw({ type: '*/*' })]],
  ] as const)('works after %s', async (_what, parsers) => {
    await worksIn(await opened('', '/', [...parsers]));
  });

  test('works before a body parser, and leaves it the bodies that are not the provider’s', async () => {
    const instance = await opened('', '/', [], [express.urlencoded()]);
    await worksIn(instance);
    await leavesBodiesIn(instance);
  });

  test('works at the root for an issuer with a path', async () => {
    await worksIn(await opened('/op', '/', [express.urlencoded()]));
  });

  test('works under the path of its issuer', async () => {
    const instance = await opened('/op', '/op', [express.urlencoded()]);
    await worksIn(instance);
    expect((await fetch(`${instance.issuer}/nothing`)).status).toBe(404);
  });

  test('answers 404 under a path that differs from its issuer’s', async () => {
    const instance = await opened('/op', '/other', []);
    const { origin } = new URL(instance.issuer);
    for (const path of ['/other/oauth2/auth', '/op/oauth2/auth', '/oauth2/auth']) {
      expect((await fetch(origin + path)).status).toBe(404);
    }
  });
});
