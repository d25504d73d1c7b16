import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** A fence after `<!-- include: path -->` shows the file at this path, from the root of the repository. */
const included =
  /(?<head>^(?<indent> *)<!-- include: (?<path>\S+) -->\n+ *```\w+\n)(?<text>[\s\S]*?)(?<tail>^ *```$)/gm;

const indented = (text: string, indent: string): string => text.replaceAll(/^(?=.)/gm, indent).replace(/\n*$/, '\n');

/** The documents that include files, with the present text of each file. */
export const documentsWithIncludes = (): ReadonlyMap<string, string> => {
  const documents = new Map<string, string>();
  for (const path of globSync('docs/**/*.md', { cwd: root })) {
    const document = readFileSync(root + path, 'utf8');
    const written = document.replaceAll(included, (...match) => {
      const { head, indent, path: file, tail } = match.at(-1) as Record<'head' | 'indent' | 'path' | 'tail', string>;
      return head + indented(readFileSync(root + file, 'utf8'), indent) + tail;
    });
    if (document.includes('<!-- include: ')) documents.set(path, written);
  }
  return documents;
};
