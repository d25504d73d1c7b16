import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '@carnet/provider/config';
import { folderForTests } from '@carnet/test-servers/folder-for-tests';
import { describe, expect, it } from 'vitest';
import { loadConfig } from './load-config.ts';
import { readConfigFile } from './read-file.ts';

const folder = folderForTests();

const write = (name: string, content: string | Buffer): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

const problemsOf = (file: string, env: Record<string, string> = {}): readonly string[] => {
  try {
    loadConfig({ env, file });
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};

const makeFolder = (name: string): string => {
  mkdirSync(join(folder, name));
  return join(folder, name);
};

describe('a configuration file that cannot be used is one problem', () => {
  it.each([
    ['there is none', join(folder, 'none.yaml'), /none\.yaml: can't be read \(ENOENT\)\. There is no such file/],
    ['it is in a file', join(write('file', ''), 'a.yaml'), /a\.yaml: can't be read \(ENOTDIR\)/],
    ['it is a folder', makeFolder('folder.yaml'), /folder\.yaml: can't be read \(EISDIR\)\. It is a folder/],
    ['a tab indents', write('tab.yaml', 'ttl:\n\tidToken: hidden\n'), /tab\.yaml:2:1: .*\(TAB_AS_INDENT\)\. A tab/],
    ['a bracket is missing', write('open.yaml', 'issuer: x\nkeys: [hidden\n'), /open\.yaml:\d:\d+: .*not valid YAML/],
    [
      'a key is there twice',
      write('two.yaml', 'dev: true\ndev: true\n'),
      /two\.yaml:2:1: .*DUPLICATE_KEY.*there twice/,
    ],
    [
      'a colon is missing',
      write('colon.yaml', 'issuer x\nttl: { idToken: 1 }\n'),
      /colon\.yaml:\d:\d+: .*not valid YAML/,
    ],
    [
      'a comma is missing',
      write('comma.json', '{\n  "dev": true\n  "issuer": "hidden"\n}'),
      /comma\.json:3:3: is not valid JSON/,
    ],
    ['it is UTF-16', write('utf16.yaml', Buffer.from('\ufeffissuer: hidden', 'utf16le')), /utf16\.yaml: is not UTF-8/],
    [
      'it is empty',
      write('empty.yaml', ''),
      /empty\.yaml: has no settings, .*issuer, storage\.default, secrets\.system.*keys\. `carnet init`/,
    ],
    [
      'a bracket is not closed',
      write('open.yaml', 'clients:\n  - redirect_uris: [http://a.test/hidden\n    scope: openid\nurls:\n  login: x\n'),
      /open\.yaml:2:20: is not valid YAML\. This "\[" is not closed\.$/,
    ],
    [
      'a brace is not closed',
      write('brace.yaml', 'dev: true\nttl: { idToken: 60\nissuer: hidden\n'),
      /brace\.yaml:2:6: is not valid YAML\. This "\{" is not closed\.$/,
    ],
    ['it has only comments', write('comments.yaml', '# issuer: x\n'), /comments\.yaml: has no settings/],
    ['it is an empty JSON object', write('empty.json', '{}'), /empty\.json: has no settings/],
    [
      'it is one of Hydra',
      write('hydra.yaml', 'dsn: memory\nserve: { public: { port: 4444 } }\n'),
      /hydra\.yaml: .*Ory Hydra.*`carnet config from-hydra /,
    ],
  ])('%s', (_what, file, expected) => {
    const [problem, ...others] = problemsOf(file);
    expect(problem).toMatch(expected);
    expect(others).toEqual([]);
    expect(problem).not.toContain('hidden');
  });

  it.skipIf(process.getuid?.() === 0)('the file may not be read (skipped for root, who may read every file)', () => {
    const file = write('private.yaml', 'dev: true');
    chmodSync(file, 0);
    expect(problemsOf(file)).toEqual([expect.stringMatching(/\(EACCES\)\. This user may not read it/)]);
  });

  it('the problems of variables are reported beside an empty file', () => {
    expect(problemsOf(write('beside.yaml', ''), { PORT: 'x' })).toEqual([
      expect.stringMatching(/beside\.yaml: has no settings/),
      expect.stringMatching(/^PORT \(public\.port\)/),
    ]);
  });
});

it.each(['bom.yaml', 'bom.json'])('a byte order mark in %s is ignored', (name) => {
  expect(readConfigFile(write(name, '\ufeff{"dev": true}'))).toEqual({ dev: true });
});
