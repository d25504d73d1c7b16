import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { folderForTests } from '@carnet/test-servers/folder-for-tests';
import { describe, expect, test } from 'vitest';
import { commandSchema } from '../../../packages/cli/src/config/schema.ts';
import { fileVariableOf, variables } from '../../../packages/cli/src/config/variables.ts';
import { parseCommandLine } from '../../../packages/cli/src/run.ts';

const run = promisify(execFile);
const units = fileURLToPath(new URL('../../../deploy/systemd/', import.meta.url));
const read = (name: string): string => readFileSync(join(units, name), 'utf8');
const folder = folderForTests();

const names = ['carnet.service', 'carnet-ui.service'];
const installed = '/opt/carnet/node_modules/.bin/carnet';

/** The values of a setting of a unit. */
const valuesOf = (unit: string, setting: string): readonly string[] =>
  [...unit.matchAll(new RegExp(`^${setting}=(.*)$`, 'gm'))].map(([, value = '']) => value);

const hasSystemd = existsSync('/usr/bin/systemd-analyze');
if (!hasSystemd)
  console.log('Some tests of the systemd units are skipped: they need systemd-analyze (Debian: systemd).');

describe.skipIf(!hasSystemd).each(names)('deploy/systemd/%s', (name) => {
  test('has no setting that systemd does not know', async () => {
    const file = join(folder, name);
    // systemd-analyze looks for the commands, and reports other units of this machine that it reads.
    writeFileSync(
      file,
      read(name)
        .replaceAll(installed, '/bin/true')
        .replace(/^(?:After|Wants)=.*\n/gm, ''),
    );
    const { stderr } = await run('systemd-analyze', ['verify', file]);
    expect(stderr.split('\n').filter((line) => line.includes(name))).toEqual([]);
  });

  test('has an exposure level of 1.5 or better', async () => {
    const args = ['security', '--offline=true', '--no-pager', '--threshold=15', join(units, name)];
    const { stdout } = await run('systemd-analyze', args);
    expect(stdout).toMatch(/Overall exposure level for carnet/);
  });
});

test.each(names)('deploy/systemd/%s runs commands that exist, with options that they have', (name) => {
  const lines = [...read(name).matchAll(new RegExp(`${installed} ([^;'\\n]*)`, 'g'))].map(([, line = '']) => line);
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) parseCommandLine(line.replace(/ 2>.*$/, '').split(' '));
});

test('a stop leaves the requests in progress their time', () => {
  const { http } = commandSchema.parse({});
  // The primary kills workers five seconds after http.shutdownSeconds.
  const seconds = Number(valuesOf(read('carnet.service'), 'TimeoutStopSec')[0]);
  expect(seconds).toBeGreaterThan(http.shutdownSeconds + 5);
});

test('credentials.conf gives each credential to the variable of Carnet that names its file', () => {
  const dropIn = read('credentials.conf');
  const credentials = valuesOf(dropIn, 'LoadCredential').map((value) => value.split(':')[0]);
  const named = valuesOf(dropIn, 'Environment').map((value) => value.split('='));
  expect(named.map(([, path]) => path)).toEqual(credentials.map((name) => `%d/${name}`));
  const known = variables.map(fileVariableOf);
  for (const [variable] of named) expect(known).toContain(variable);
});
