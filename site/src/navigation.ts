import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DefaultTheme } from 'vitepress';

/** The sections in the order of the site. Each is a folder of `docs`. */
const sections = {
  start: 'Start',
  guides: 'Guides',
  concepts: 'Concepts',
  reference: 'Reference',
  operate: 'Operate',
  migrate: 'Migrate',
} as const;

type Section = keyof typeof sections;

/** The pages that come first in their section, in this order. All others follow in the order of their titles. */
const first: Readonly<Record<Section, readonly string[]>> = {
  start: ['create-carnet', 'express', 'koa', 'fastify', 'nest', 'hono', 'next', 'deno-and-bun', 'stand-alone'],
  guides: [
    'login-page',
    'in-process',
    'clients',
    'protect-an-api',
    'single-page-apps',
    'integrations',
    'directories',
    'manage-users',
    'events-and-webhooks',
    'several-issuers',
    'claims-and-scopes',
    'second-factors',
    'sign-in-with',
    'organizations',
    'branding',
    'logout',
    'mcp',
  ],
  concepts: ['how-it-works', 'architecture', 'security', 'what-carnet-does-not-do', 'comparison'],
  reference: ['configuration', 'commands', 'errors', 'events'],
  operate: ['production', 'adapters', 'move-store', 'keys', 'operations', 'monitoring', 'opentelemetry', 'scaling'],
  migrate: ['from-oidc-provider', 'from-hydra'],
};

/** The folders that hold pages: `docs`, and the generated pages, which have the same sections. */
export interface Folders {
  readonly docs: string;
  readonly generated: string;
}

interface Page {
  readonly name: string;
  readonly title: string;
  readonly link: string;
}

/** The text of the first heading, without its code marks. @throws Error if a document has no heading */
const titleOf = (file: string): string => {
  const title = /^# (.+)$/m.exec(readFileSync(file, 'utf8'))?.[1];
  if (title === undefined) throw new Error(`${file} has no first heading: begin it with "# Title"`);
  return title.replaceAll('`', '').replaceAll('\\', '');
};

const pagesIn = (folder: string, below: string): readonly Page[] =>
  globSync('*.md', { cwd: join(folder, below) }).map((file) => {
    const name = file.replace(/\.md$/, '');
    return {
      name,
      title: titleOf(join(folder, below, file)),
      link: `/${below}/${name === 'index' ? '' : name}`,
    };
  });

const sorted = (pages: readonly Page[], order: readonly string[]): readonly Page[] => {
  const placeOf = ({ name }: Page): number => {
    if (name === 'index') return -1;
    const place = order.indexOf(name);
    return place === -1 ? order.length : place;
  };
  return pages.toSorted((one, other) => placeOf(one) - placeOf(other) || one.title.localeCompare(other.title));
};

const itemsOf = (pages: readonly Page[]): DefaultTheme.SidebarItem[] =>
  pages.map(({ title, link }) => ({ text: title, link }));

/** The groups of generated pages: one for each folder below a section. Their first page is the index. */
const generatedGroups = (folder: string, section: string): DefaultTheme.SidebarItem[] =>
  globSync(`${section}/*/index.md`, { cwd: folder })
    .toSorted()
    .map((file) => {
      const below = file.replace(/\/index\.md$/, '');
      const [index, ...pages] = sorted(pagesIn(folder, below), []);
      return { text: index?.title ?? below, link: index?.link ?? '', collapsed: true, items: itemsOf(pages) };
    });

/** The sidebar: every page of every section, by folder. */
export const sidebarOf = ({ docs, generated }: Folders): DefaultTheme.SidebarItem[] =>
  Object.entries(sections).flatMap(([section, text]) => {
    const pages = itemsOf(sorted(pagesIn(docs, section), first[section as Section]));
    const items = [...pages, ...generatedGroups(generated, section)];
    // VitePress opens the group of the page.
    return items.length === 0 ? [] : [{ text, items, collapsed: true }];
  });

/** The top navigation: each section with its first page. */
export const navOf = (folders: Folders): DefaultTheme.NavItem[] =>
  sidebarOf(folders).flatMap(({ text = '', items = [] }) => {
    const link = items[0]?.link;
    return link === undefined ? [] : [{ text, link, activeMatch: `^${link.replace(/[^/]*$/, '')}` }];
  });
