// Starts the programs of this project: the scripts `start:*` of package.json. When one ends, all end.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
const programs = Object.keys(scripts).filter((name) => name.startsWith('start:'));

const children = programs.map((name) => {
  const [command = '', ...args] = (scripts[name] ?? '').split(' ');
  return spawn(command, args, { stdio: 'inherit', shell: process.platform === 'win32' });
});

const stop = (): void => {
  for (const child of children) child.kill();
};

for (const [index, child] of children.entries()) {
  child.once('exit', (code) => {
    if (code) console.error(`${programs[index]} ended with exit code ${code}`);
    process.exitCode ??= code ?? 0;
    stop();
  });
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
