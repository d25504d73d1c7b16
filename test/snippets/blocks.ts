import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** The documents whose snippets are checked. */
const documents: readonly string[] = globSync(
  [
    '*.md',
    '.github/*.md',
    'docs/**/*.md',
    '{packages,examples,deploy}/*/README.md',
    'deploy/README.md',
    '{bench,site}/README.md',
  ],
  { cwd: root, exclude: (path) => path.includes('node_modules') },
)
  .filter((path) => path !== 'CHANGELOG.md')
  .toSorted();

/**
 * What a document says about the block below, in a comment on the line above the fence:
 *
 *   <!-- snippet: given carnet, app -->                 names of `given.ts` that the block uses
 *   <!-- snippet: prelude                               TypeScript that declares names of the block
 *   declare const user: { id: string };
 *   -->
 *   <!-- snippet: run by test/release/a.test.ts -->     the test that runs it; it names the document
 *   <!-- snippet: same as docs/start/express.md -->   a document whose block, with the same code, is run
 *   <!-- snippet: not run: <reason> -->
 *   <!-- include: deploy/proxies/nginx.conf -->        the file that the block is a copy of (`npm run docs:write`)
 */
export interface Marker {
  readonly kind: 'given' | 'prelude' | 'run by' | 'not run' | 'same as' | 'include';
  readonly text: string;
}

/** A fenced block of a document. */
export interface Block {
  readonly document: string;
  /** The line of the fence, from 1. */
  readonly line: number;
  /** The first word after the fence. Empty if there is none. */
  readonly language: string;
  /** Without the indentation of the fence. */
  readonly code: string;
  readonly markers: readonly Marker[];
}

const fence = /^( *)```([\w-]*)[^\n]*\n([\s\S]*?)^ *```[ \t]*$/gm;
const markerPattern = /<!-- (?:snippet: )?(given|prelude|run by|not run|same as|include)\b:?\s*([\s\S]*?)\s*-->\s*$/;

/** The markers at the end of a text, from the last to the first. */
const markersAtEnd = (text: string): readonly Marker[] => {
  const found = markerPattern.exec(text.slice(text.lastIndexOf('<!--')));
  if (found === null) return [];
  const marker = { kind: found[1] as Marker['kind'], text: found[2] ?? '' };
  return [marker, ...markersAtEnd(text.slice(0, text.lastIndexOf('<!--')).trimEnd())];
};

/** All fenced blocks of a document. */
const blocksIn = (document: string, text: string): readonly Block[] =>
  [...text.matchAll(fence)].map(({ index, 1: indent = '', 2: language = '', 3: code = '' }) => ({
    document,
    line: text.slice(0, index).split('\n').length,
    language,
    code: code.replace(new RegExp(`^ {0,${indent.length}}`, 'gm'), ''),
    markers: markersAtEnd(text.slice(0, index).trimEnd()),
  }));

/** The blocks of all documents. */
export const allBlocks = (): readonly Block[] =>
  documents.flatMap((document) => blocksIn(document, readFileSync(root + document, 'utf8')));

/** A block as in a guide, for the tests of the rules. */
export const blockOf = (language: string, code: string, comment = ''): Block => {
  const [block] = blocksIn('docs/guides/a.md', `${comment}\n\`\`\`${language}\n${code}\n\`\`\`\n`);
  if (block === undefined) throw new Error('The text has no block.');
  return block;
};

/** How a message names a block: `docs/guides/logout.md:12`. */
export const nameOf = ({ document, line }: Pick<Block, 'document' | 'line'>): string => `${document}:${line}`;
