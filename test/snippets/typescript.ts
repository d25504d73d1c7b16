import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Block, nameOf, root } from './blocks.ts';
import { given } from './given.ts';

/** The packages of the workspace that snippets import are found from here. */
const folder = join(root, 'test/.snippets');

const settings = {
  extends: '../../tsconfig.base.json',
  compilerOptions: {
    noEmit: true,
    declaration: false,
    rewriteRelativeImportExtensions: false,
    // A snippet shows types only where a reader needs them, and a part of a program only.
    noImplicitAny: false,
    noImplicitReturns: false,
    verbatimModuleSyntax: false,
  },
  include: ['*.ts'],
};

const declarations = ({ markers }: Block): string =>
  markers
    .flatMap(({ kind, text }) => {
      if (kind === 'prelude') return [text];
      return kind === 'given' ? text.split(/,\s*/).map((name) => given[name] ?? `There is no given name ${name}`) : [];
    })
    .join('\n');

/** A part of a function is checked in a function. */
const moduleOf = (block: Block): string => {
  const isModule = /^(?:import|export) /m.test(block.code);
  const body = isModule ? block.code : `export const snippet = async () => {\n${block.code}};`;
  return `${declarations(block)}\n// begin\n${body}\nexport {};\n`;
};

/** The errors that tsc reports for blocks of TypeScript and JavaScript, each with document and line. */
export const typeErrorsIn = async (blocks: readonly Block[]): Promise<readonly string[]> => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  const modules = blocks.map(moduleOf);
  for (const [index, text] of modules.entries()) writeFileSync(join(folder, `snippet-${index}.ts`), text);
  try {
    await promisify(execFile)(join(root, 'node_modules/.bin/tsc'), ['-p', folder, '--pretty', 'false'], {
      cwd: folder,
    });
    return [];
  } catch (error) {
    const { stdout } = error as { stdout: string };
    // The options above are not those of the packages, whose own errors `npm run types` reports.
    return stdout
      .split('\n')
      .filter((line) => line.startsWith('snippet-'))
      .map((line) => inDocument(line, blocks, modules));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** The message of tsc with the place in the document instead of that in the module. */
const inDocument = (message: string, blocks: readonly Block[], modules: readonly string[]): string => {
  const [, index = '', line = '', text = ''] = /^snippet-(\d+)\.ts\((\d+),\d+\): (.*)$/.exec(message) ?? [];
  const block = blocks[Number(index)];
  if (index === '' || block === undefined) return message;
  const before = modules[Number(index)]?.split('// begin\n')[0]?.split('\n').length ?? 0;
  const wrapper = /^(?:import|export) /m.test(block.code) ? 0 : 1;
  return `${nameOf({ document: block.document, line: block.line + Number(line) - before - wrapper })} ${text}`;
};
