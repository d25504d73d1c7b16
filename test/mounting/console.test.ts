import type { RequestListener } from 'node:http';
import { type Console, createConsole } from '@carnet/console';
import { createProvider } from '@carnet/provider';
import { listen } from '@carnet/test-servers/listen';
import { getRequestListener } from '@hono/node-server';
import express from 'express';
import { Hono } from 'hono';
import Koa from 'koa';
import { expect, onTestFinished, test } from 'vitest';
import { createBrowser, signIn } from '../../packages/console/test/browser.ts';
import { devConfig } from '../../packages/console/test/start-console.ts';
import { mountInExpress } from './express.ts';
import { mountInHono } from './hono.ts';
import { mountInKoa } from './koa.ts';

type Mount = (answer: Console, url: string) => RequestListener;

const inExpress: Mount = (answer, url) => {
  const app = express();
  mountInExpress(app, answer, url);
  app.use((_, response) => void response.send('the app'));
  return app;
};

const inKoa: Mount = (answer, url) => {
  const app = new Koa();
  mountInKoa(app, answer, url);
  app.use((context) => {
    context.body = 'the app';
  });
  return app.callback();
};

const inHono: Mount = (answer) => {
  const app = new Hono();
  mountInHono(app, answer);
  app.get('*', (context) => context.text('the app'));
  return getRequestListener(app.fetch, { overrideGlobalObjects: false });
};

const open = async (mount: Mount) => {
  const carnet = await createProvider(devConfig);
  let listener: RequestListener | undefined;
  const server = await listen((request, response) => listener?.(request, response));
  onTestFinished(async () => {
    await server.close();
    await carnet.close();
  });
  const origin = `http://localhost:${server.port}`;
  const url = `${origin}/console`;
  const note = (): void => {};
  const answer = await createConsole(carnet, {
    issuer: devConfig.issuer,
    url,
    access: { claim: 'groups', operator: ['platform'] },
    secrets: ['a secret of at least thirty-two characters'],
    logger: { info: note, warn: note, error: console.error },
  });
  listener = mount(answer, url);
  const onSocket = (request: Request) => fetch(request, { redirect: 'manual' });
  return { carnet, url, origin, browser: createBrowser({ [devConfig.issuer]: carnet.fetch, [origin]: onSocket }) };
};

test.each([
  ['Express', inExpress],
  ['Koa', inKoa],
  ['Hono', inHono],
] as const)('in an app of %s, an operator signs in at the console and changes a client', async (_, mount) => {
  const { carnet, url, origin, browser } = await open(mount);
  const operator = { subject: 'ada', claims: { groups: ['platform'], name: 'Ada' } };
  const { response } = await signIn(browser, carnet, new URL(url), operator);
  expect(await response.text()).toContain('Signed in as Ada (operator)');
  await carnet.clients.create({ client_id: 'shop', redirect_uris: ['https://shop.example/cb'] });
  const post = (path: string, body: Record<string, string>) =>
    browser.send(new URL(`${url}${path}`), { method: 'POST', body: new URLSearchParams(body) });
  expect((await post('/clients/shop/delete', { confirmed: 'shop' })).status).toBe(303);
  await expect(carnet.clients.get('shop')).rejects.toMatchObject({ code: 'not_found' });
  expect(await (await browser.send(new URL(`${url}/`))).text()).toContain('<h1>Overview</h1>');
  expect(await (await browser.send(new URL(`${origin}/consoles`))).text()).toBe('the app');
});
