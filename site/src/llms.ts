import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Folders, sidebarOf } from './navigation.ts';

const introduction = `# Carnet

> An OpenID Connect provider for Node.js. Mount it in your Express, Koa or Fastify app, or run it as a server.
`;

const fileOf = (link: string, { docs, generated }: Folders): string => {
  const name = `${link.replace(/\/$/, '/index')}.md`;
  try {
    return readFileSync(join(docs, name), 'utf8');
  } catch {
    return readFileSync(join(generated, name), 'utf8');
  }
};

/** Writes `llms.txt`, the list of all pages, and `llms-full.txt`, their text (llmstxt.org). `base` is the path of the site. */
export const writeTextFiles = (folders: Folders, outDir: string, base: string): void => {
  const sections = sidebarOf(folders).map(({ text = '', items = [] }) => ({
    text,
    pages: items.flatMap(({ items: below = [], ...page }) => [page, ...below]),
  }));
  const lists = sections.map(({ text, pages }) =>
    [`## ${text}`, '', ...pages.map((page) => `- [${page.text}](${base}${page.link?.slice(1)})`), ''].join('\n'),
  );
  writeFileSync(join(outDir, 'llms.txt'), [introduction, ...lists].join('\n'));
  const texts = sections.flatMap(({ pages }) => pages).map(({ link = '' }) => fileOf(link, folders));
  writeFileSync(join(outDir, 'llms-full.txt'), texts.join('\n'));
};
