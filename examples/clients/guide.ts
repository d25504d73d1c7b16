import { readFileSync } from 'node:fs';

const guide = readFileSync(new URL('../../docs/guides/clients.md', import.meta.url), 'utf8');

/** The origin of the application in every example of docs/guides/clients.md. */
const documentedOrigin = 'https://app.example.com';

/** The text below a heading of docs/guides/clients.md. */
const sectionOf = (title: string): string => {
  const section = guide.split(/^## /m).find((text) => text.startsWith(`${title}\n`));
  if (section === undefined) throw new Error(`docs/guides/clients.md has no section ${title}`);
  return section;
};

/** The headings of docs/guides/clients.md. */
export const sections: readonly string[] = [...guide.matchAll(/^## (.+)$/gm)].map(([, title = '']) => title);

/** The body that a section tells administrators to register, for an application at another origin. */
export const registrationIn = (title: string, origin: string): string => {
  const body = /curl "\$ADMIN\/admin\/clients" -d '([^']+)'/.exec(sectionOf(title))?.[1];
  if (body === undefined) throw new Error(`The section ${title} of docs/guides/clients.md registers no client`);
  return body.replaceAll(documentedOrigin, origin);
};

const indentOf = (lines: readonly string[]): number =>
  Math.min(...lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/)));

/** The regions of a program between `// docs: settings` and `// docs: end`, without their indentation. */
export const regionsOf = (program: string): readonly string[] =>
  [...program.matchAll(/^ *\/\/ docs: settings.*\n([\s\S]*?)^ *\/\/ docs: end$/gm)].map(([, region = '']) => {
    const lines = region.trimEnd().split('\n');
    const indent = indentOf(lines);
    return lines.map((line) => line.slice(indent)).join('\n');
  });

/** The blocks of JavaScript or TypeScript in a section. */
export const codeIn = (title: string): readonly string[] =>
  [...sectionOf(title).matchAll(/^```(?:js|ts)\n([\s\S]*?)\n```$/gm)].map(([, code = '']) => code);
