import { contrast, parseColor } from '@carnet/adapter-contract/kit';
import { expect, test } from 'vitest';
import { startConsole } from './start-console.ts';

const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const logo = { type: 'image/svg+xml', content: new TextEncoder().encode(svg) };
const start = (brand: NonNullable<Parameters<typeof startConsole>[2]>['brand']) =>
  startConsole({}, undefined, { brand });

test('a console without a brand has the name of the page alone in its titles', async () => {
  const { carnet, get } = await startConsole();
  const text = await (await get('/clients')).text();
  expect(text).toContain('<title>Clients · Console</title>');
  expect(text).not.toContain('class="brand"');
  await carnet.close();
});

test('the name and the logo are in the header and the title, and no text of them becomes markup', async () => {
  const { carnet, get } = await start({ name: 'Acme <b>', logo });
  const text = await (await get('/clients')).text();
  expect(text).toContain('<title>Clients · Acme &lt;b&gt;</title>');
  expect(text).toContain('<bdi>Acme &lt;b&gt;</bdi>');
  expect(text).not.toContain('<b>');
  await carnet.close();
});

test('the console serves its logo with a policy that runs no script', async () => {
  const { carnet, get } = await start({ logo });
  const page = await get('/');
  const [, path = ''] = /<img src="\/console([^"]+)" alt="Console">/.exec(await page.text()) ?? [];
  const response = await get(path);
  expect(await response.text()).toBe(svg);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'image/svg+xml',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  });
  expect(page.headers.get('content-security-policy')).toContain("img-src 'self' data:;");
  await carnet.close();
});

test('the policy names the host of a logo at a URL, and nothing else of the URL', async () => {
  const { carnet, get } = await start({ logo: 'https://cdn.test/a;script-src%20*/logo.png' });
  const page = await get('/');
  expect(page.headers.get('content-security-policy')).toContain("img-src 'self' data: https://cdn.test;");
  expect(page.headers.get('content-security-policy')).not.toContain('unsafe');
  expect(await page.text()).toContain('src="https://cdn.test/a;script-src%20*/logo.png"');
  await carnet.close();
});

const backgrounds = { light: ['#fff', '#fbfbfc'], dark: ['#13171f', '#1a1f28'] } as const;
const ratio = (one = '', other = ''): number => contrast(parseColor(one) ?? [0, 0, 0], parseColor(other) ?? [0, 0, 0]);

test.each(['#14614c', '#ffee00', '#000', '#fff', '#808080', '#c4004c'])(
  'links and buttons in %s are readable on light and on dark pages',
  async (color) => {
    const { carnet, get } = await start({ color });
    const [, path = ''] = /href="\/console(\/assets\/brand\.css[^"]+)"/.exec(await (await get('/')).text()) ?? [];
    const css = await (await get(path)).text();
    await carnet.close();
    const [light = '', dark = ''] = css.split('@media');
    for (const [scheme, text] of Object.entries({ light, dark })) {
      const value = (name: string): string | undefined => new RegExp(`--pico-primary${name}:(#\\w+)`).exec(text)?.[1];
      for (const background of backgrounds[scheme as keyof typeof backgrounds])
        for (const link of ['', '-hover'])
          expect(ratio(value(link), background), `${scheme}${link} ${color}`).toBeGreaterThanOrEqual(4.5);
      for (const button of ['-background', '-hover-background'])
        expect(ratio(value('-inverse'), value(button)), `${scheme}${button}`).toBeGreaterThanOrEqual(4.5);
    }
  },
);

test('a wrong color of an app is an error at the start', async () => {
  await expect(start({ color: 'red; }' })).rejects.toThrow('must be one such as #14614c, not red; }');
});
