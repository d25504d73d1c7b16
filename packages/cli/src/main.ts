#!/usr/bin/env node
import cluster from 'node:cluster';
import { keepCompiledCode } from './compile-cache.ts';
import { nodeProblem } from './node-version.ts';
import type { run } from './run.ts';

// First, so that all modules loaded below are cached.
keepCompiledCode();

/** A worker of `carnet serve` has no command line: the primary sends it the configuration. */
const work = async (): Promise<number> => (await import('./serve/worker.ts')).runWorker();

/** Resolves when a pipe has taken the output, or when its reader has closed it: `head` needs no more than it has read. */
const flushed = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => {
    stream.once('error', () => resolve());
    stream.write('', () => resolve());
  });

/** A server starts without the modules of the other commands. */
const loadRun = async (argv: readonly string[]): Promise<typeof run> => {
  const { isHelpWanted, runCommandLine } = await import('./run-command-line.ts');
  if (argv[0] !== 'serve' || isHelpWanted(argv)) return (await import('./run.ts')).run;
  const { serve } = await import('./serve/serve.ts');
  return (line, surface) => runCommandLine(line, surface, { commands: [serve] });
};

const runCommand = async (): Promise<number> => {
  const { environment } = await import('./env.ts');
  const argv = process.argv.slice(2);
  const runLine = await loadRun(argv);
  const exitCode = await runLine(argv, {
    env: environment(),
    out: (line) => process.stdout.write(`${line}\n`),
    err: (line) => process.stderr.write(`${line}\n`),
    in: async () => (process.stdin.isTTY ? '' : (await import('node:stream/consumers')).text(process.stdin)),
    isTerminal: process.stdout.isTTY === true,
  });
  await Promise.all([process.stdout, process.stderr].map(flushed));
  return exitCode;
};

/** Before any other module is loaded: an older Node.js would fail with the name of a module that it lacks. */
const refuseOldNode = (): number | undefined => {
  const problem = nodeProblem(process.versions.node);
  if (problem !== undefined) process.stderr.write(`carnet: ${problem}\n`);
  return problem === undefined ? undefined : 1;
};

/** A reader such as `head` closes the pipe when it has read enough: no failure of the command. */
const ignoreClosedPipes = (): void => {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
};

ignoreClosedPipes();
const exitCode = refuseOldNode() ?? (await (cluster.isWorker ? work() : runCommand()));

// Explicitly: an open connection pool or cluster channel would keep the process alive.
process.exit(exitCode);
