import { globSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DefaultTheme } from 'vitepress';
import { beforeAll, describe, expect, it } from 'vitest';
import { folderForTests } from '../../test/servers/src/folder-for-tests.ts';
import { navOf, sidebarOf } from './navigation.ts';
import { root } from './repository.ts';

const folder = folderForTests();
const generated = join(folder, 'generated');
const folders = { docs: join(root, 'docs'), generated };
beforeAll(() => {
  mkdirSync(join(generated, 'reference/api'), { recursive: true });
  writeFileSync(join(generated, 'reference/api/index.md'), '# API\n');
  writeFileSync(join(generated, 'reference/api/provider.md'), '# @carnet/provider\n');
});

const linksIn = (items: readonly DefaultTheme.SidebarItem[]): readonly string[] =>
  items.flatMap(({ link, items: below = [] }) => [...(link === undefined ? [] : [link]), ...linksIn(below)]);

describe('the sidebar', () => {
  it('has every document of docs but the home page', () => {
    const documents = globSync('**/*.md', { cwd: folders.docs }).filter((path) => path !== 'index.md');
    const links = documents.map((path) => `/${path.replace(/(?:^|(?<=\/))index\.md$|\.md$/, '')}`);
    expect(linksIn(sidebarOf(folders))).toEqual(expect.arrayContaining(links));
  });

  it('has the generated pages below the documents of their section', () => {
    const reference = sidebarOf(folders).find(({ text }) => text === 'Reference');
    expect(reference?.items?.at(-1)).toEqual({
      text: 'API',
      link: '/reference/api/',
      collapsed: true,
      items: [{ text: '@carnet/provider', link: '/reference/api/provider' }],
    });
  });

  it('refuses a document without a heading', () => {
    const docs = join(folder, 'docs');
    mkdirSync(join(docs, 'guides'), { recursive: true });
    writeFileSync(join(docs, 'guides/untitled.md'), 'Text.\n');
    expect(() => sidebarOf({ docs, generated })).toThrow('untitled.md has no first heading');
  });
});

describe('the navigation', () => {
  it('leads to the first page of each section', () => {
    expect(navOf(folders)).toContainEqual({
      text: 'Concepts',
      link: '/concepts/how-it-works',
      activeMatch: '^/concepts/',
    });
  });
});
