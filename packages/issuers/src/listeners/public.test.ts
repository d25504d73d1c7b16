import { createServer, get } from 'node:http';
import type { Carnet } from '@carnet/provider';
import { listen } from '@carnet/test-servers/listen';
import { expect, it, onTestFinished } from 'vitest';
import type { Issuer } from '../ports.ts';
import { createPublicListeners } from './public.ts';

it('a request whose client has gone while it waited is not answered, and gives its place back', async () => {
  const events: string[] = [];
  const closed = Promise.withResolvers<void>();
  const received = Promise.withResolvers<void>();
  const carnet = { callback: () => () => void events.push('answered') } as Partial<Carnet> as Carnet;
  const issuer = { name: 'acme', config: { issuer: 'http://127.0.0.1' }, limits: {} } as Issuer;
  const ended = Promise.withResolvers<void>();
  const { callback } = createPublicListeners({
    source: { at: () => issuer, named: () => issuer },
    first: carnet,
    pool: { hold: async () => ({ carnet, release: () => void events.push('released') }) },
    mayPass: () => true,
    begin: async () => {
      received.resolve();
      await closed.promise;
      return ended.resolve;
    },
  });
  const server = createServer((req, res) => {
    res.once('close', closed.resolve);
    callback(req, res, () => {});
  });
  const { origin, close } = await listen(server);
  onTestFinished(close);
  const request = get(`${origin}/oauth2/auth`).on('error', () => {});
  await received.promise;
  request.destroy();
  await ended.promise;
  expect(events).toEqual(['released']);
}, 10_000);
