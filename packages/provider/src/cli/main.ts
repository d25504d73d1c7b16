#!/usr/bin/env node
import { text } from 'node:stream/consumers';
import { environment } from '../config/env.ts';
import { run } from './run.ts';

const exitCode = await run(process.argv.slice(2), {
  env: environment(),
  out: (line) => process.stdout.write(`${line}\n`),
  err: (line) => process.stderr.write(`${line}\n`),
  in: async () => (process.stdin.isTTY ? '' : text(process.stdin)),
  isTerminal: process.stdout.isTTY === true,
});

// Not by itself: a connection pool or a cluster channel that is still open would keep the process.
process.exit(exitCode);
