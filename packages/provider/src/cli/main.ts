#!/usr/bin/env node
import cluster from 'node:cluster';
import module from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

// Before anything is loaded that it could hold. In the home of whoever runs this, where nobody else can plant code; where
// that can't be written, or Node is older than 22.8, there is no cache, and no error.
module.enableCompileCache?.(join(homedir(), '.cache', 'carnet'));

/** A worker of `carnet serve` needs no command line: its primary has read it. */
const work = async (): Promise<number> => (await import('./worker.ts')).runWorker();

const runCommand = async (): Promise<number> => {
  const { environment } = await import('../config/env.ts');
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
