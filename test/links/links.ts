import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generatedFiles } from '../../scripts/generated.mjs';
import { repositoryUrl, siteUrl } from '../../site/src/repository.ts';
import { slugOf } from '../../site/src/slug.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The documents whose links are checked. */
export const documents: readonly string[] = globSync(
  [
    '*.md',
    '.github/**/*.md',
    'docs/**/*.md',
    '{packages,examples}/*/README.md',
    'deploy/**/README.md',
    '{bench,site}/README.md',
  ],
  { cwd: root, exclude: (path) => path.includes('node_modules') },
).toSorted();

/** Text without code, which may look like links. */
const withoutCode = (text: string): string =>
  text.replace(/^( *)(```+|~~~+)[\s\S]*?^\1\2[ \t]*$/gm, '').replace(/(`+)(?:(?!\1)[\s\S])+?\1/g, '');

/** The texts of the headings, without Markdown. */
const headingsIn = (text: string): readonly string[] =>
  [...text.replace(/^( *)```[\s\S]*?^\1```[ \t]*$/gm, '').matchAll(/^#{1,6} +(.+?) *$/gm)].map(([, title = '']) =>
    title.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]|\\(?=[^\w\s])/g, ''),
  );

/** The anchors of a document: those of its headings, and those that it sets itself. Equal headings get numbers. */
export const anchorsIn = (text: string): ReadonlySet<string> => {
  const anchors = new Set<string>();
  for (const slug of headingsIn(text).map(slugOf)) {
    let anchor = slug;
    for (let number = 1; anchors.has(anchor); number++) anchor = `${slug}-${number}`;
    anchors.add(anchor);
  }
  for (const [, id = ''] of text.matchAll(/<[a-z]+ [^>]*\b(?:id|name)="([^"]+)"/g)) anchors.add(id);
  return anchors;
};

/** The targets of links and images, and the links of the home page's front matter. */
export const targetsIn = (text: string): readonly string[] => {
  const content = withoutCode(text);
  const patterns = [
    /\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)/g,
    /^\[[^\]]+\]: +(\S+)/gm,
    /\b(?:href|src)="([^"]+)"/g,
    /^ +link: (\S+)$/gm,
  ];
  return patterns.flatMap((pattern) => [...content.matchAll(pattern)].map(([, target = '']) => target));
};

/** The document that a page of the published site shows. The pages of the admin API are made of its OpenAPI document. */
const documentOf = (page: string): string => {
  if (page.startsWith('reference/admin-api/')) return 'docs/reference/openapi.json';
  return `docs/${page.replace(/^$|\/$/, '$&index.html').replace(/\.html$/, '.md')}`;
};

/** The file of a link, relative to the root. Undefined for another site. */
const fileOf = (path: string, from: string): string | undefined => {
  if (path.startsWith(`${siteUrl}/`)) return documentOf(path.slice(siteUrl.length + 1));
  const own = new RegExp(`^${repositoryUrl}/(?:blob|tree|edit|raw)/main/(.*)$`).exec(path)?.[1];
  if (own !== undefined) return own;
  if (/^[a-z]+:/.test(path)) return undefined;
  if (path === '') return from;
  // The home page names pages of the site.
  if (path.startsWith('/')) return `docs${path.endsWith('/') ? `${path}index` : path}.md`;
  return normalize(join(dirname(from), path));
};

/** The document that a path shows: a folder shows its README. */
const documentAt = (file: string): string =>
  statSync(join(root, file)).isDirectory() ? join(file, 'README.md') : file;

/** The problem of one link. Undefined if the file and the anchor are there, or if it leads to another site. */
export const linkProblem = (target: string, from: string): string | undefined => {
  const [path = '', anchor] = target.split('#');
  const file = fileOf(decodeURI(path), from);
  if (file === undefined) return undefined;
  // GitHub and npm show no file that git ignores. A link between two pages of the site is right there.
  const isOnSite = path.startsWith(siteUrl) || (from.startsWith('docs/') && !path.startsWith(repositoryUrl));
  if (generatedFiles.includes(file) && !isOnSite) return `${from}: ${target} is not in git. Link to ${siteUrl}`;
  if (!existsSync(join(root, file))) return `${from}: ${target} leads to ${file}, which is not there`;
  const document = documentAt(file);
  // Lines of a source, such as #L12, have no anchors.
  if (anchor === undefined || !document.endsWith('.md')) return undefined;
  const anchors = anchorsIn(readFileSync(join(root, document), 'utf8'));
  return anchors.has(anchor) ? undefined : `${from}: ${document} has no anchor #${anchor}`;
};

/** The problems of all links of a document. */
export const problemsOf = (document: string): readonly string[] =>
  targetsIn(readFileSync(join(root, document), 'utf8')).flatMap((target) => linkProblem(target, document) ?? []);
