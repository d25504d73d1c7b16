import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { least } from './cases.ts';
import { objectOf, secretData } from './objects.ts';
import { renderChart } from './render.ts';
import { findTools } from './tools.ts';

const tools = await findTools();

const encode = (text: string): string => Buffer.from(text).toString('base64');

/** What an API server with an earlier release answers to the requests of `lookup`. */
const answers: Readonly<Record<string, object>> = {
  '/api/v1': {
    ...{ kind: 'APIResourceList', groupVersion: 'v1' },
    resources: [{ name: 'secrets', kind: 'Secret', namespaced: true, verbs: ['get'] }],
  },
  '/api/v1/namespaces/carnet/secrets/carnet': {
    ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'carnet', namespace: 'carnet' } },
    data: { SECRETS_SYSTEM: encode('the system secret'), ADMIN_TOKEN: encode('the admin token'), OTHER: encode('x') },
  },
  '/api/v1/namespaces/carnet/secrets/carnet-ui': {
    ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'carnet-ui', namespace: 'carnet' } },
    data: { UI_COOKIE_SECRET: encode('the cookie secret') },
  },
};

describe.skipIf(!tools.isReady)('an upgrade of a release', () => {
  const { helm } = tools;
  let server: Server;
  let url = '';

  beforeAll(async () => {
    server = createServer((request, response) => {
      const answer = answers[new URL(request.url ?? '/', 'http://api').pathname];
      response.writeHead(answer ? 200 : 404, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(answer ?? { kind: 'Status', apiVersion: 'v1', reason: 'NotFound', code: 404 }));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.close();
  });

  const upgrade = async (values: object) => {
    const args = ['--kube-version', '1.34.0', '--dry-run=server', '--kube-apiserver', url];
    const { objects } = await renderChart(helm, values, args);
    return {
      secret: secretData(objectOf(objects, 'Secret', 'carnet')),
      ui: secretData(objectOf(objects, 'Secret', 'carnet-ui')),
    };
  };

  test('keeps the secrets that the chart generated', async () => {
    const { secret, ui } = await upgrade(least);
    expect(secret).toMatchObject({ SECRETS_SYSTEM: 'the system secret', ADMIN_TOKEN: 'the admin token' });
    expect(ui).toEqual({ UI_COOKIE_SECRET: 'the cookie secret' });
  });

  test('rotates a secret that the values set', async () => {
    const config = { ...least.carnet.config, secrets: { system: ['n'.repeat(32), 'the system secret'] } };
    const { secret } = await upgrade({ carnet: { config } });
    expect(secret.SECRETS_SYSTEM).toBe(`${'n'.repeat(32)},the system secret`);
  });
});
