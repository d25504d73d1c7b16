// Starts the programs of this project: the scripts `start:*` of package.json. When one ends, all end.
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
//@if admin
import { setTimeout as sleep } from 'node:timers/promises';
import * as settings from './src/settings.ts';

//@end

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
const programs = Object.keys(scripts).filter((name) => name.startsWith('start:'));

const children: ChildProcess[] = [];
let isStopping = false;

const stop = (): void => {
  isStopping = true;
  for (const child of children) child.kill();
};

const start = (name: string): void => {
  if (isStopping) return;
  const [command = '', ...args] = (scripts[name] ?? '').split(' ');
  const child = spawn(command, args, { stdio: 'inherit', shell: process.platform === 'win32' });
  children.push(child);
  child.once('exit', (code) => {
    if (code) console.error(`${name} ended with exit code ${code}`);
    process.exitCode ??= code ?? 0;
    stop();
  });
};

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
//@if admin

/** Resolves when a server on this machine answers, or after a minute: then the programs that call it say so. */
const untilUp = async (url: string): Promise<void> => {
  for (let attempts = 0; attempts < 600 && !isStopping; attempts += 1) {
    const response = await fetch(url).catch(() => undefined);
    if (response !== undefined && response.status !== 503) return;
    await sleep(100);
  }
};
//@end

// The provider is first, because the others call it. The app is last: it prints the address to open.
const provider = programs.includes('start:carnet') ? 'start:carnet' : 'start:app';
start(provider);
//@if admin
await untilUp(`http://127.0.0.1:${settings.adminPort}/health/ready`);
//@end
for (const name of programs) if (name !== provider && name !== 'start:app') start(name);
if (provider !== 'start:app') {
  //@if bundled
  await untilUp(`http://127.0.0.1:${settings.pagesPort}/`);
  //@end
  start('start:app');
}
