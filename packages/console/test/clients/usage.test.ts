import { expect, test } from 'vitest';
import { startConsole } from '../start-console.ts';

test('the usage of a client counts its events, and only those', async () => {
  const { carnet, get } = await startConsole({ events: {} });
  const { client_secret: secret = '' } = await carnet.clients.create({
    ...{ client_id: 'job', grant_types: ['client_credentials'], scope: 'orders' },
    client_credentials_grant_access_token_lifespan: '5m',
  });
  await carnet.clients.create({ client_id: 'other', grant_types: ['client_credentials'] });
  const token = async (id: string, password: string) =>
    carnet.fetch(
      new Request('http://localhost:4444/oauth2/token', {
        method: 'POST',
        headers: { authorization: `Basic ${Buffer.from(`${id}:${encodeURIComponent(password)}`).toString('base64')}` },
        body: new URLSearchParams({ grant_type: 'client_credentials' }),
      }),
    );
  for (let count = 0; count < 3; count++) expect((await token('job', secret)).status).toBe(200);
  await token('job', 'wrong-secret');
  const figure = (text: string, label: string) => new RegExp(`<dt>${label}</dt><dd>([^<]*)`).exec(text)?.[1];
  const usage = async (id: string) => (await get(`/clients/${id}/usage`)).text();
  await expect.poll(async () => figure(await usage('job'), 'Answers of the token endpoint with tokens')).toBe('3');
  const text = await usage('job');
  expect(figure(text, 'Refusals of the token endpoint')).toBe('1');
  expect(text).toContain('<dt>client_credentials_grant_access_token_lifespan</dt><dd>5m0s</dd>');
  expect(await usage('other')).toContain('No event names this client');
  await carnet.close();
});

test('without events the page says so', async () => {
  const { carnet, get } = await startConsole();
  await carnet.clients.create({ client_id: 'job' });
  expect(await (await get('/clients/job/usage')).text()).toContain('Events are not configured');
  await carnet.close();
});
