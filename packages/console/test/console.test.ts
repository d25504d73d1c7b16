import { expect, test } from 'vitest';
import { startConsole } from './start-console.ts';

test('the overview names the issuer, under a policy without unsafe sources', async () => {
  const { carnet, get } = await startConsole();
  const response = await get('/');
  expect(response.status).toBe(200);
  expect(await response.text()).toContain('http://localhost:4444');
  expect(response.headers.get('content-security-policy')).not.toContain('unsafe');
  await carnet.close();
});

test('without events, the overview names the setting that keeps them', async () => {
  const { carnet, get } = await startConsole();
  expect(await (await get('/')).text()).toContain('<code>events: { retention: 7d }</code>');
  await carnet.close();
  const kept = await startConsole({ events: { retention: 604_800 } });
  expect(await (await kept.get('/')).text()).not.toContain('events: {');
  await kept.carnet.close();
});

test('a page that does not exist is answered with 404', async () => {
  const { carnet, get } = await startConsole();
  expect((await get('/nothing')).status).toBe(404);
  await carnet.close();
});

test('a request of another origin is refused before any route', async () => {
  const { carnet, post } = await startConsole();
  expect((await post('/clients', {}, { origin: 'https://evil.example' })).status).toBe(403);
  await carnet.close();
});
