import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commands } from '../src/run.ts';
import { runCarnet } from './run-carnet.ts';
import { temporaryFolder } from './start-program.ts';

const scriptOf = async (shell: string): Promise<string> => {
  const { exitCode, out } = await runCarnet(['completion', shell]);
  expect(exitCode).toBe(0);
  return out;
};

/** Runs a program of a shell in a folder with the script and a file. */
const runShell = (shell: string, script: string, program: string): string => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'script'), script);
  writeFileSync(join(folder, 'carnet.yaml'), '');
  mkdirSync(join(folder, 'home'));
  const env = { PATH: process.env.PATH ?? '', HOME: join(folder, 'home'), TERM: 'dumb' };
  return execFileSync(shell, shell === 'zsh' ? ['-f', '-c', program] : ['-c', program], {
    cwd: folder,
    env,
    encoding: 'utf8',
    timeout: 60_000,
  });
};

const inBash = (line: string): string => {
  const words = line
    .split(' ')
    .map((word) => `'${word}'`)
    .join(' ');
  return `source ./script; COMP_WORDS=(${words}); COMP_CWORD=$((\${#COMP_WORDS[@]}-1)); _carnet; printf '%s\\n' "\${COMPREPLY[@]}"`;
};

const inFish = (line: string): string => `source ./script; complete -C '${line}'`;

/**
 * zsh completes only at a terminal: a second zsh behind a pseudo-terminal gets the line and tabs, until it shows the expected
 * text. `re""ady` is not the echo of the command that prints it.
 */
const inZsh = (line: string, expected: string): string => `
zmodload zsh/zpty
zpty shell zsh -f -i
wait_for() {
  local seen chunk attempt
  for attempt in {1..100}; do
    while zpty -r -t shell chunk; do seen+=$chunk; done
    [[ $seen == *"$1"* ]] && break
    sleep 0.1
  done
  print -rn -- "$seen"
}
zpty -w shell 'PS1=; autoload -Uz compinit; compinit -D -u; LISTMAX=9999; setopt autolist noautomenu; stty cols 200; source ./script; print re""ady'
wait_for ready >/dev/null
zpty -w -n shell $'${line}\\t\\t'
wait_for '${expected}'
zpty -d shell`;

/** A terminal shows a single candidate as the rest of the word: `fig` after `con`. */
const shownBy = (shell: string, expected: readonly string[]): readonly string[] =>
  shell === 'zsh' && expected.length === 1 ? expected.map((word) => word.slice(2)) : expected;

const programs = { bash: inBash, fish: inFish, zsh: inZsh } as const;

describe.each(['bash', 'zsh', 'fish'] as const)('the completion of %s', (shell) => {
  const isThere = spawnSync(shell, ['-c', 'true']).status === 0;
  const title = isThere
    ? 'completes'
    : `is not tested: ${shell} is not installed (apt-get install ${shell}): completes`;

  it.skipIf(!isThere).each([
    ['carnet keys ', ['generate', 'import', 'list', 'rotate']],
    ['carnet help con', ['config']],
    ['carnet keys generate --', ['--out', '--help']],
    ['carnet serve --config car', ['carnet.yaml']],
    ['carnet list clients --format ', ['json-pretty', 'yaml']],
    ['carnet serve pu', ['public']],
  ])(`${title} "%s"`, async (line, expected) => {
    const found = runShell(shell, await scriptOf(shell), programs[shell](line, shownBy(shell, expected).at(-1) ?? ''));
    for (const word of shownBy(shell, expected)) expect(found).toContain(word);
    expect(found).not.toMatch(/rotate[\s\S]*migrate|error|command not found/i);
  });

  it('has every command and every option', async () => {
    const script = await scriptOf(shell);
    for (const { name, options } of commands) {
      for (const word of name.split(' ')) expect(script).toMatch(new RegExp(`[' ]${word}[' ]`));
      for (const option of Object.keys(options)) expect(script).toContain(`--${option}`);
    }
  });
});

it('names the shells that it knows', async () => {
  const { exitCode, err } = await runCarnet(['completion', 'tcsh']);
  expect(exitCode).toBe(2);
  expect(err).toContain('Name a shell: bash, zsh or fish.');
});
