import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { main, temporaryFolder } from './start-program.ts';

/** Runs a command in front of a reader. Default: `carnet config schema`, whose output is larger than the buffer of a pipe (64 KB). */
const printTo = (reader: string, command = ['config', 'schema']) => {
  const argv = [process.execPath, '--conditions=@carnet/source', '--disable-warning=ExperimentalWarning', main];
  const options = { cwd: temporaryFolder(), env: { PATH: process.env.PATH }, encoding: 'utf8' } as const;
  return spawnSync('sh', ['-c', `"$0" "$@" | ${reader}`, ...argv, ...command], options);
};

/** It reads one byte at a time: the pipe is full when the command has written its output. */
const slowReader = `while IFS= read -r line; do printf '%s\\n' "$line"; done`;

describe('the output of a command in a pipe', () => {
  it('a slow reader gets all of it', () => {
    const { stdout, stderr } = printTo(slowReader);
    expect(stdout.length).toBeGreaterThan(65_536);
    expect(JSON.parse(stdout)).toHaveProperty('$schema');
    expect(stderr).toBe('');
  });

  it('the command ends without an error when the reader has closed the pipe', () => {
    expect(printTo('head -c 1')).toMatchObject({ stdout: '{', stderr: '' });
  });

  it('a command that writes several lines ends without an error when no reader is left', () => {
    expect(printTo('true', ['doctor'])).toMatchObject({ stdout: '', stderr: '' });
  });
});
