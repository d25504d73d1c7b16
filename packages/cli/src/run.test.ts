import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderForTests } from '@carnet/test-servers/folder-for-tests';
import { describe, expect, it } from 'vitest';
import { loadKeys } from '../../provider/src/keys/sources/load-keys.ts';
import { runCarnet } from '../test/run-carnet.ts';
import { exitCodes } from './command.ts';
import { parseCommandLine } from './run.ts';
import { restartDelayMs } from './serve/primary.ts';

const folder = folderForTests();

describe('the command line', () => {
  it.each([[[]], [['help']], [['--help']], [['-h']]])('lists every command for %j', async (argv) => {
    const { exitCode, out } = await runCarnet(argv);
    expect(exitCode).toBe(exitCodes.ok);
    for (const name of ['serve', 'keys generate', 'config print', 'version', 'help'])
      expect(out).toContain(`  ${name}`);
    for (const code of Object.values(exitCodes)) expect(out).toContain(`  ${code} `);
  });

  it.each([[['help', 'keys', 'generate']], [['keys', 'generate', '--help']]])(
    'explains one command for %j',
    async (argv) => {
      const { exitCode, out } = await runCarnet(argv);
      expect(exitCode).toBe(exitCodes.ok);
      expect(out).toContain('Usage: carnet keys generate');
      expect(out).toContain('--out <file>');
    },
  );

  it('lists the commands of a group', async () => {
    const { exitCode, out } = await runCarnet(['help', 'keys']);
    expect(exitCode).toBe(exitCodes.ok);
    expect(out).toContain('  keys rotate');
    expect(out).not.toContain('  serve');
  });

  it.each([
    [['serv'], 'Did you mean "serve"?'],
    [
      ['keys'],
      'Name one of these commands: carnet keys generate, carnet keys import, carnet keys list, carnet keys rotate, carnet keys unseal.',
    ],
    [
      ['migrate', 'sttaus'],
      'Name one of these commands: carnet migrate up, carnet migrate status, carnet migrate down.',
    ],
    [['serve', '--worker', '2'], 'Unknown option \'--worker\'. Did you mean "--workers"?'],
    [['create', 'client', '--redirect-uris', 'x'], 'Did you mean "--redirect-uri"?'],
    [['serve', '--quick'], "Unknown option '--quick'"],
    [['clients'], 'carnet create client'],
    [['serve', 'now'], 'serve public or serve admin'],
    [['get', 'client'], 'Give at least one client id'],
    [['get', 'client', 'a', '--format', 'xml'], '--format must be one of'],
    [['list', 'clients', '--endpoint', 'nowhere'], '--endpoint must be an http or https URL'],
    [['update', 'client', 'a'], 'Name at least one member to change'],
    [['create', 'client', '--metadata', '{'], '--metadata must be JSON'],
    [['serve', '--workers', 'many'], '--workers must be a number'],
    [['help', 'fly'], 'There is no command and no topic "fly"'],
  ])('refuses %j with exit code 2 and one line of advice', async (argv, problem) => {
    const { exitCode, err, out } = await runCarnet(argv);
    expect(exitCode).toBe(exitCodes.usage);
    expect(err).toContain(problem);
    expect(err.split('\n')).toHaveLength(2);
    expect(out).toBe('');
  });

  it.each([
    [['clients', 'list'], 'list clients'],
    [['client', 'list'], 'list clients'],
    [['clients', 'create'], 'create client'],
    [['token', 'introspect'], 'introspect token'],
    [['create', 'user'], 'users create'],
    [['rotate', 'keys'], 'keys rotate'],
  ])('accepts %j as %s', (argv, name) => {
    expect(parseCommandLine(argv).command.name).toBe(name);
  });

  it('names `carnet init` where nothing is configured', async () => {
    const { exitCode, err } = await runCarnet(['serve']);
    expect(exitCode).toBe(exitCodes.config);
    expect(err).toMatch(/Neither a file.*issuer, storage\.default.*`carnet init --dev`/);
  });

  it('leads from a wrong option to the options of its command', async () => {
    expect((await runCarnet(['create', 'client', '--nmae', 'x'])).err).toContain('Try: carnet help create client');
    expect((await runCarnet(['create', 'clinet'])).err).toMatch(/Try: carnet help$/);
    expect((await runCarnet(['help', 'fly'])).err).toMatch(/Try: carnet help$/);
  });

  it('prints the version of the package', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../provider/package.json', import.meta.url), 'utf8'));
    expect(await runCarnet(['version'])).toMatchObject({ exitCode: exitCodes.ok, out: version });
  });
});

describe('carnet keys generate', () => {
  it('writes a key set that loads, for its owner alone, and never over another', async () => {
    const file = join(folder, 'keys.json');
    expect((await runCarnet(['keys', 'generate', '--out', file])).exitCode).toBe(exitCodes.ok);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { signers, warnings } = loadKeys({ file, idTokenAlg: 'EdDSA' });
    expect(signers.map((signer) => signer.alg)).toEqual(['RS256', 'ES256', 'EdDSA']);
    expect(warnings).toEqual([]);

    const before = readFileSync(file, 'utf8');
    const again = await runCarnet(['keys', 'generate', '--out', file]);
    expect(again).toMatchObject({ exitCode: exitCodes.failed, err: expect.stringContaining('already exists') });
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it('prints a key set without --out', async () => {
    const { out } = await runCarnet(['keys', 'generate']);
    expect(JSON.parse(out).keys).toHaveLength(3);
  });
});

describe('carnet config print', () => {
  it('prints the configuration without its secrets', async () => {
    const { exitCode, out } = await runCarnet(['config', 'print', '--dev'], {
      SECRETS_SYSTEM: 'hidden-hidden-hidden-hidden-hidden',
      DATABASE_URL: 'postgres://carnet:hidden@db/carnet',
    });
    expect(exitCode).toBe(exitCodes.ok);
    expect(JSON.parse(out)).toMatchObject({ dev: true, storage: { default: 'postgres://carnet:***@db/carnet' } });
    expect(out).not.toContain('hidden');
  });

  it('has a JSON Schema, which knows every key of a file', async () => {
    const { exitCode, out } = await runCarnet(['config', 'schema']);
    expect(exitCode).toBe(exitCodes.ok);
    const { properties, additionalProperties } = JSON.parse(out) as Record<string, unknown>;
    expect(additionalProperties).toBe(false);
    expect(properties).toMatchObject({
      ttl: { properties: { accessToken: { description: 'The lifetime of an access token.' } } },
    });
  });

  it('lists all problems, with exit code 78', async () => {
    const file = join(folder, 'carnet.yaml');
    writeFileSync(file, 'workers: none\n');
    const { exitCode, err, out } = await runCarnet(['config', 'print', '--config', file]);
    expect(exitCode).toBe(exitCodes.config);
    for (const problem of [
      '(workers)',
      'ISSUER',
      'DATABASE_URL',
      'SECRETS_SYSTEM',
      'URLS_LOGIN',
      'URLS_CONSENT',
      'KEYS_FILE',
    ]) {
      expect(err).toContain(problem);
    }
    expect(out).toBe('');
  });
});

describe('a worker that crashes', () => {
  it('a worker that crashes restarts with growing delays of at most half a minute', () => {
    expect([1, 2, 3, 8, 50].map(restartDelayMs)).toEqual([250, 500, 1_000, 30_000, 30_000]);
  });
});
