import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import MiniSearch from 'minisearch';
import { resolveConfig } from 'vitepress';
import { beforeAll, describe, expect, test } from 'vitest';
import { adminApiPages } from './admin-api/pages.ts';
import { root } from './repository.ts';
import { searchOptions } from './search.ts';
import { slugOf } from './slug.ts';

interface Section {
  readonly id: string;
  readonly title: string;
  readonly titles: readonly string[];
  readonly text: string;
}

/** The sections of a page with the headings above each, as VitePress indexes them. */
const sectionsOf = (page: string, markdown: string): readonly Section[] => {
  const titles: string[] = [];
  return markdown.split(/^(?=#{1,6} )/m).flatMap((part) => {
    const [, marks = '', heading = '', text = ''] = /^(#{1,6}) (.*)\n?([\s\S]*)$/.exec(part) ?? [];
    if (marks === '') return [];
    titles.splice(marks.length - 1);
    const above = titles.filter((title) => title !== undefined);
    titles[marks.length - 1] = heading;
    return { id: `${page}#${slugOf(heading)}`, title: heading, titles: above, text };
  });
};

const pages = (): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(
    globSync('**/*.md', { cwd: join(root, 'docs') }).map((file) => [
      `/${file.replace(/\.md$/, '.html')}`,
      readFileSync(join(root, 'docs', file), 'utf8'),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(adminApiPages()).map(([name, text]) => [
      `/reference/admin-api/${name.replace(/\.md$/, '.html')}`,
      text,
    ]),
  ),
});

let index: MiniSearch<Section>;
beforeAll(() => {
  index = new MiniSearch({ fields: ['title', 'titles', 'text'], storeFields: ['title', 'titles'], searchOptions });
  for (const [page, markdown] of Object.entries(pages())) {
    const seen = new Set<string>();
    for (const section of sectionsOf(page, markdown)) {
      if (!seen.has(section.id)) index.add(section);
      seen.add(section.id);
    }
  }
});

const pagesFor = (query: string): readonly string[] =>
  index.search(query).map(({ id }) => String(id).replace(/\.html.*/, ''));

describe('the search of the site', () => {
  test.each([
    ['SPA', '/guides/single-page-apps'],
    ['bun', '/start/deno-and-bun'],
    ['deno', '/start/deno-and-bun'],
    ['webhook', '/guides/events-and-webhooks'],
    ['captcha', '/concepts/what-carnet-does-not-do'],
    ['terraform', '/concepts/what-carnet-does-not-do'],
    ['impersonation', '/concepts/what-carnet-does-not-do'],
    ['passwordless', '/concepts/what-carnet-does-not-do'],
    ['social login', '/guides/sign-in-with'],
    ['organizations', '/guides/organizations'],
    ['grafana', '/guides/integrations'],
    ['oauth2-proxy', '/guides/integrations'],
    ['opentelemetry', '/operate/opentelemetry'],
    ['protect an api', '/guides/protect-an-api'],
    ['groups claim', '/guides/claims-and-scopes'],
    ['nginx', '/operate/reverse-proxies'],
    ['backup', '/operate/backup'],
  ])('%s finds %s among the first three pages', (query, page) => {
    expect([...new Set(pagesFor(query))].slice(0, 3)).toContain(page);
  });

  test.each(['logout', 'consent', 'login', 'device', 'introspection', 'dynamic registration'])(
    'documents are before the generated pages: %s',
    (query) => {
      const found = pagesFor(query);
      expect(found.some((page) => page.startsWith('/reference/admin-api/'))).toBe(true);
      expect(found.slice(0, 5).filter((page) => page.startsWith('/reference/admin-api/'))).toEqual([]);
    },
  );

  test('VitePress has these options, and they work as the text that it sends to browsers', async () => {
    const { site } = await resolveConfig(join(root, 'site'));
    expect(site.themeConfig.search.options.miniSearch.searchOptions).toMatchObject({ prefix: true });
    for (const name of ['boostDocument', 'fuzzy'] as const) {
      const sent = new Function(`return (${searchOptions[name].toString()})`)();
      const [api, guide] = ['/reference/api/provider.html', '/guides/logout.html'];
      expect([sent(api), sent(guide)]).toEqual([searchOptions[name](api), searchOptions[name](guide)]);
    }
  });
});
