import { expect, test } from 'vitest';
import type { LocalFunctions, Setting } from '../src/server/console-server.ts';
import { startConsole } from './start-console.ts';

const viewer = { subject: 'vic', name: 'Vic', role: 'viewer' } as const;
const hostile = '<script>alert(1)</script>';

const settings: readonly Setting[] = [
  { key: 'issuer', value: '"https://op.example"', source: 'file', description: 'The issuer URL.' },
  { key: 'public.port', value: '4444', source: 'default', description: 'The port of the public listener: `PORT` <b>.' },
  { key: 'brand.name', value: JSON.stringify(hostile), source: 'BRAND_NAME' },
  ...Array.from({ length: 70 }, (_, index) => ({ key: `many.k${index}`, value: '', source: 'default' })),
];

const local = {
  configuration: async () => ({ settings, warnings: [`a warning ${hostile}`] }),
  examineConfiguration: async (text: string, scope: string) => ({
    problems: [`problem of ${text} ${scope}`],
    warnings: [],
    changes: [{ key: 'issuer', before: '"a"', after: '', concern: 'issuer' as const }],
  }),
} satisfies LocalFunctions;

const keysIn = (text: string): readonly string[] =>
  [...text.matchAll(/<th scope="row"><code>([^<]+)<\/code>/g)].map(([, key = '']) => key);

test('the settings are searched, filtered and walked by the URL', async () => {
  const { carnet, get } = await startConsole({}, viewer, local);
  const keys = async (query: string) => keysIn(await (await get(`/configuration${query}`)).text());
  expect(await keys('?q=PORT+listener')).toEqual(['public.port']);
  expect(await (await get('/configuration?q=port')).text()).toContain('listener: <code>PORT</code> &lt;b&gt;.');
  expect(await keys('?only=set')).toEqual(['issuer', 'brand.name']);
  const first = await keys('');
  expect(first).toHaveLength(50);
  const second = await keys(`?after=${first.at(-1)}`);
  expect([...first, ...second]).toEqual(settings.map(({ key }) => key));
  await carnet.close();
});

test('values and warnings are text', async () => {
  const { carnet, get, post } = await startConsole({}, undefined, local);
  const text = await (await get(`/configuration?q=${encodeURIComponent(hostile)}`)).text();
  expect(text).toContain('a warning &lt;script&gt;');
  const examined = await (await post('/configuration/examine', { text: hostile, scope: 'whole' })).text();
  expect(examined).toContain('problem of &lt;script&gt;alert(1)&lt;/script&gt; whole');
  expect(text + examined).not.toContain('<script');
  await carnet.close();
});

test('an operator sees what a change needs, a viewer may not send one', async () => {
  const { carnet, get, post, records } = await startConsole({}, undefined, local);
  const text = await (await post('/configuration/examine', { text: 'issuer: b', scope: 'anything' })).text();
  expect(text).toContain('problem of issuer: b keys');
  expect(text).toContain('a change of every client');
  expect(await (await get('/configuration')).text()).toContain('/configuration/examine');
  expect(records).toEqual([]);
  const other = await startConsole({}, viewer, { carnet, ...local });
  expect((await other.post('/configuration/examine', { text: 'issuer: b' })).status).toBe(403);
  expect(await (await other.get('/configuration')).text()).not.toContain('/configuration/examine');
  await carnet.close();
});

test('without the functions of the command the page says so', async () => {
  const { carnet, get, post } = await startConsole();
  expect(await (await get('/configuration')).text()).toContain('carnet config print');
  expect((await post('/configuration/examine', { text: 'x' })).status).toBe(200);
  await carnet.close();
});
