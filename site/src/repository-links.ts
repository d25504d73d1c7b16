import { posix } from 'node:path';
import type { MarkdownRenderer } from 'vitepress';
import { urlOf } from './repository.ts';

/** Files of the repository that the site has under another address: pages made of them, and files that git ignores. */
const pages: Readonly<Record<string, string>> = {
  'docs/reference/openapi.json': '/reference/admin-api/',
  'docs/reference/config.schema.json': '/reference/config.schema.json',
};

const isPage = (path: string): boolean => /^docs\/.*\.(?:md|png|svg)$/.test(path);

/**
 * The address on the site of a link in a document. Links to files outside of `docs`, and to files in `docs` that are no
 * pages, lead to the repository. `from` is the document relative to the root of the repository.
 */
export const siteLinkOf = (href: string, from: string): string => {
  if (/^(?:[a-z]+:|#|\/)/.test(href)) return href;
  const [path = '', anchor] = href.split('#');
  const target = posix.normalize(posix.join(posix.dirname(from), path));
  const hash = anchor === undefined ? '' : `#${anchor}`;
  if (pages[target] !== undefined) return pages[target] + hash;
  return isPage(target) ? href : urlOf(target.replace(/\/$/, '')) + hash;
};

/** Rewrites the links of each document that leave the site. */
export const repositoryLinks = (md: MarkdownRenderer): void => {
  md.core.ruler.push('repository-links', ({ tokens, env }) => {
    const from = `docs/${env.relativePath}`;
    for (const link of tokens.flatMap(({ children }) => children ?? []).filter(({ type }) => type === 'link_open'))
      link.attrSet('href', siteLinkOf(link.attrGet('href') ?? '', from));
  });
};
