#!/usr/bin/env node
import cluster from 'node:cluster';
import { keepCompiledCode } from './compile-cache.ts';

// Before anything is loaded that it could hold.
keepCompiledCode();

/** A worker of `carnet serve` needs no command line: its primary has read it. */
const work = async (): Promise<number> => (await import('./serve/worker.ts')).runWorker();

const runCommand = async (): Promise<number> => {
  const { environment } = await import('./env.ts');
  const { run } = await import('./run.ts');
  return run(process.argv.slice(2), {
    env: environment(),
    out: (line) => process.stdout.write(`${line}\n`),
    err: (line) => process.stderr.write(`${line}\n`),
    in: async () => (process.stdin.isTTY ? '' : (await import('node:stream/consumers')).text(process.stdin)),
    isTerminal: process.stdout.isTTY === true,
  });
};

const exitCode = await (cluster.isWorker ? work() : runCommand());

// Not by itself: a connection pool or a cluster channel that is still open would keep the process.
process.exit(exitCode);
