#!/usr/bin/env node
import module from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

// Before anything is loaded that it could hold. In the home of whoever runs this, where nobody else can plant code; where
// that can't be written, or Node is older than 22.8, there is no cache, and no error.
module.enableCompileCache?.(join(homedir(), '.cache', 'carnet'));
const [{ text }, { environment }, { run }] = await Promise.all([
  import('node:stream/consumers'),
  import('../config/env.ts'),
  import('./run.ts'),
]);

const exitCode = await run(process.argv.slice(2), {
  env: environment(),
  out: (line) => process.stdout.write(`${line}\n`),
  err: (line) => process.stderr.write(`${line}\n`),
  in: async () => (process.stdin.isTTY ? '' : text(process.stdin)),
  isTerminal: process.stdout.isTTY === true,
});

// Not by itself: a connection pool or a cluster channel that is still open would keep the process.
process.exit(exitCode);
