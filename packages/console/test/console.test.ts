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
