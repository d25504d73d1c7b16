#!/usr/bin/env node
import { UsageError } from './choices/choices.ts';
import { assertNodeVersion } from './node-version.ts';
import { run } from './run.ts';

try {
  assertNodeVersion(process.versions.node);
  await run({
    args: process.argv.slice(2),
    cwd: process.cwd(),
    userAgent: process.env.npm_config_user_agent,
    isInteractive: process.stdin.isTTY === true && process.stdout.isTTY === true,
    out: (text) => void process.stdout.write(text),
  });
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
