import { readFileSync } from 'node:fs';

/** A quick start of `docs/start`, in the parts that a user copies. */
export interface QuickStart {
  /** The packages of the line `npm install`. */
  readonly packages: readonly string[];
  /** The files to save, by their paths. */
  readonly files: Readonly<Record<string, string>>;
  /** Files that replace others in a variant of the program. */
  readonly alternatives: Readonly<Record<string, string>>;
  /** The commands to run, each in its words. The last one keeps running. */
  readonly commands: readonly (readonly string[])[];
  /** The URL to open. Undefined if the program prints it. */
  readonly url: string | undefined;
}

interface Block {
  /** The line above it. */
  readonly before: string;
  readonly language: string;
  readonly text: string;
}

/** A fence may have a comment above it, for the check of all snippets. */
const fence = /([^\n]*)\n\n(?:<!--[^\n]*-->\n)?```(\w+)\n(.*?)^```$/gms;

const blocksIn = (document: string): readonly Block[] =>
  [...document.matchAll(fence)].map(([, before = '', language = '', text = '']) => ({
    before,
    language,
    text,
  }));

/** Code that is preceded by a line such as "Save this as `server.mjs`:" is the file of that name. */
const fileNameIn = ({ before }: Block): string | undefined => /`([^`]+)`[^`]*:$/.exec(before)?.[1];

const commandsIn = ({ text }: Block): readonly (readonly string[])[] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.split(' '));

/**
 * Reads a quick start.
 *
 * @param name the name of the document, such as `express.md`
 * @throws Error if a block of code is neither a file nor commands, so that no code of a document is left untested
 */
export const readQuickStart = (name: string): QuickStart => {
  const document = readFileSync(new URL(`../../../docs/start/${name}`, import.meta.url), 'utf8');
  const blocks = blocksIn(document);
  const files: Record<string, string> = {};
  const alternatives: Record<string, string> = {};
  const lines: (readonly string[])[] = [];
  for (const block of blocks) {
    const file = fileNameIn(block);
    if (block.language === 'sh') lines.push(...commandsIn(block));
    else if (file !== undefined) (file in files ? alternatives : files)[file] = block.text;
    else throw new Error(`docs/start/${name} has code without the name of its file:\n${block.text}`);
  }
  const [install = [], ...commands] = lines;
  if (install.slice(0, 2).join(' ') !== 'npm install') throw new Error(`docs/start/${name} begins with ${install}`);
  const url = /<(http:\/\/[\w.]+:\d+\/oauth2\/auth[^>]+)>/.exec(document)?.[1];
  return { packages: install.slice(2), files, alternatives, commands, url };
};

/** The packages that a program imports. */
export const importedPackages = ({ files }: Pick<QuickStart, 'files'>): readonly string[] => {
  const specifiers = Object.values(files).flatMap((text) =>
    [...text.matchAll(/(?:\bfrom|^import) '([^'.][^']*)'/gm)].map(([, specifier = '']) => specifier),
  );
  const packages = specifiers
    .filter((specifier) => !specifier.startsWith('node:'))
    .map((specifier) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/'));
  return [...new Set(packages)].toSorted();
};
