import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { formerVariables, hydraVariables } from '../src/config/foreign-variables.ts';
import { hydraKeys } from '../src/config/hydra/hydra-keys.ts';
import { loadConfig } from '../src/config/load-config.ts';
import { misspelledVariables } from '../src/config/misspelled-variables.ts';
import { variableFor, variables } from '../src/config/variables.ts';
import { temporaryFolder } from './start-program.ts';

type Env = Record<string, string>;

const parse = (text: string): Env =>
  Object.fromEntries([...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]));

const dumpOf = (name: string): Env => parse(readFileSync(new URL(`environments/${name}.env`, import.meta.url), 'utf8'));

/** The variables that npm adds for a script. */
const npmScript = (): Env => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'package.json'), '{"name":"app","version":"1.0.0","scripts":{"start":"env"}}');
  const { PATH = '', HOME = '' } = process.env;
  return parse(execFileSync('npm', ['run', '-s', 'start'], { cwd: folder, env: { PATH, HOME }, encoding: 'utf8' }));
};

const load = (env: Env) => loadConfig({ dev: true, env });

it.each([
  ['a pod of Kubernetes', () => dumpOf('kubernetes')],
  ['GitHub Actions', () => dumpOf('github-actions')],
  ['a script of npm', npmScript],
])('each variable of %s is foreign to Carnet', (_where, environment) => {
  const { NODE_ENV: _, ...env } = environment();
  expect(Object.keys(env).length).toBeGreaterThan(20);
  expect(misspelledVariables(env, [])).toEqual([]);
  const { config } = load({ ...env, CARNET_STRICT: '1' });
  expect(config.admin.port, 'ADMIN_PORT of a service named admin').toBe(4445);
});

it.each([
  ['CARNET_ISSUR', 'Did you mean ISSUER?'],
  ['CARNET_FEATURES_FAPI_ENABLED', 'Did you mean FEATURES_FAPI?'],
  ['CARNET_ADMN_TOKEN', 'Did you mean CARNET_ADMIN_TOKEN?'],
  ['CARNET_STRCT', 'Did you mean CARNET_STRICT?'],
  ['CLIENT_SHOP_SECRT', 'Did you mean CLIENT_SHOP_SECRET?'],
  ['CLIENT_SHOP_SECRET_FIEL', 'Did you mean CLIENT_SHOP_SECRET_FILE?'],
  ['CLIENTS_BCRYPT_COST', 'Did you mean CLIENT_SECRETS_BCRYPT_COST?'],
  ['BCRYPT_COST', 'Did you mean CLIENT_SECRETS_BCRYPT_COST?'],
  ['CLIENTS_CACHE_SECONDS', 'Did you mean CLIENT_CACHE_SECONDS?'],
  ['DSN', 'It is a variable of Ory Hydra, which `carnet config from-hydra --env` converts. Did you mean DATABASE_URL?'],
  [
    'OAUTH2_DEVICE_AUTHORIZATION_USER_CODE_LENGTH',
    'It is a variable of Ory Hydra, which `carnet config from-hydra --env` converts. Did you mean DEVICE_USER_CODE_LENGTH?',
  ],
])('%s is warned of, and refused with CARNET_STRICT=1', (name, advice) => {
  const clients = JSON.stringify([{ client_id: 'shop', client_secret: 'a secret of the tests' }]);
  const problem = `${name}: is not a variable of Carnet and has no effect. ${advice}`;
  const env = { CLIENTS: clients, [name]: 'hidden' };
  expect(load(env).warnings).toContainEqual(expect.stringContaining(problem));
  const strictly = () => load({ ...env, CARNET_STRICT: '1', PORT: 'x' });
  expect(strictly).toThrow(/^The configuration has 2 problems:/);
  expect(strictly).toThrow(problem);
  expect(strictly).not.toThrow('hidden');
});

it('a name of elsewhere is fine beside the variable of Carnet', () => {
  expect(
    load({ DSN: 'x', DATABASE_URL: 'memory:', BCRYPT_COST: '8', CLIENT_SECRETS_BCRYPT_COST: '8' }).warnings,
  ).toEqual([]);
});

it('CARNET_STRICT is 1 or 0', () => {
  expect(() => load({ CARNET_STRICT: 'yes' })).toThrow('CARNET_STRICT: must be 1 or 0.');
  for (const off of ['', '0', 'false']) expect(() => load({ CARNET_STRICT: off, ISUER: 'x' })).not.toThrow();
});

it('the variables of Hydra are those of its keys that Carnet has by another name', () => {
  const ours = new Set(variables.map(({ name }) => name));
  const expected = hydraKeys.flatMap(({ key, to }) => {
    const name = key.toUpperCase().replaceAll('.', '_');
    return to === undefined || ours.has(name) || !name.match(/_|DSN/) ? [] : [[name, to]];
  });
  expect(Object.entries(hydraVariables)).toEqual(expected);
  for (const key of Object.values(formerVariables)) expect(variableFor(key), key).toBeDefined();
});
