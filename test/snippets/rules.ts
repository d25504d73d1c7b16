import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pictureOf } from '../../site/src/diagrams.ts';
import { type Block, root } from './blocks.ts';
import { callsCommand, shellProblem } from './commands.ts';
import { configurationProblem } from './configuration.ts';

/** The problem of a snippet. Undefined if there is none. */
type Rule = (code: string) => string | undefined;

/** Runs a check that throws. */
const caught = (check: () => unknown): string | undefined => {
  try {
    check();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};

const isOutput: Rule = (code) => (callsCommand(code) ? 'a block with commands has the language sh' : undefined);

/** One rule for each language of a fence. TypeScript and JavaScript are checked all at once by `typescript.ts`. */
const rules: Readonly<Record<string, Rule>> = {
  '': isOutput,
  text: isOutput,
  sh: shellProblem,
  json: (code) => caught(() => JSON.parse(code)),
  yaml: configurationProblem,
  mermaid: (code) => caught(() => pictureOf(code)),
};

/** Languages that tsc checks. */
export const isTypeScript = ({ language }: Pick<Block, 'language'>): boolean => language === 'ts' || language === 'js';

/** The test that a marker names must exist and name the document. */
const runProblem = ({ document }: Block, path: string): string | undefined => {
  if (!existsSync(join(root, path))) return `the marker names ${path}, which is not there`;
  const names = document === 'README.md' ? ['README.md'] : [document, basename(document)];
  const text = readFileSync(join(root, path), 'utf8');
  return names.some((name) => text.includes(name)) ? undefined : `${path} does not mention ${document}`;
};

/** A copy of a file whose own tests run it. */
const copyProblem = ({ code }: Block, path: string): string | undefined => {
  if (!existsSync(join(root, path))) return `the marker names ${path}, which is not there`;
  return readFileSync(join(root, path), 'utf8').includes(code.trimEnd()) ? undefined : `is no copy of ${path}`;
};

export interface Verdict {
  readonly block: Block;
  readonly how: 'run' | 'checked' | 'not run';
  readonly problem?: string;
}

/** The verdict for one block. A block of TypeScript that needs tsc has no problem here. */
export const verdictOf = (block: Block): Verdict => {
  const run = block.markers.find(({ kind }) => kind === 'run by');
  if (run !== undefined) return { block, how: 'run', problem: runProblem(block, run.text) };
  const same = block.markers.find(({ kind }) => kind === 'same as');
  if (same !== undefined) return { block, how: 'run', problem: copyProblem(block, same.text) };
  const copied = block.markers.find(({ kind }) => kind === 'include');
  if (copied !== undefined) return { block, how: 'checked', problem: copyProblem(block, copied.text) };
  const notRun = block.markers.find(({ kind }) => kind === 'not run');
  if (notRun !== undefined) {
    const hasReason = notRun.text.split(' ').length >= 3;
    return { block, how: 'not run', ...(!hasReason && { problem: 'the marker has no reason' }) };
  }
  if (isTypeScript(block)) return { block, how: 'checked' };
  const rule = rules[block.language];
  const problem = rule === undefined ? `no rule for ${block.language}: add a marker` : rule(block.code);
  return { block, how: 'checked', problem };
};
