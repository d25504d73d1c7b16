import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { describedSettings } from '../../packages/cli/src/config/described-settings.ts';
import { commands } from '../../packages/cli/src/run.ts';
import { generatedFiles } from '../../scripts/generated.mjs';
import { chartSchemaDocs, chartValues } from './chart-values.ts';
import { commandsDocs } from './commands.ts';
import { configSchemaDocs, configurationDocs } from './configuration.ts';
import { generated } from './generated.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Compiles a schema, which fails if a keyword or pattern is wrong. */
const validatorOf = (schema: string) =>
  new Ajv2020({ strictTypes: false, validateFormats: false }).compile(JSON.parse(schema));

test('setup writes each generated file, and git ignores it', () => {
  expect(Object.keys(generated)).toEqual(generatedFiles);
  const ignored = execFileSync('git', ['check-ignore', ...generatedFiles], { cwd: root, encoding: 'utf8' });
  expect(ignored.trim().split('\n')).toEqual(generatedFiles);
});

test('the commands have a section each, with all options', () => {
  const sections = commandsDocs().split(/^(?=## )/m);
  expect(commands.length).toBeGreaterThan(20);
  for (const { name, summary, options } of commands) {
    const section = sections.find((text) => text.startsWith(`## carnet ${name}\n`));
    expect(section, name).toContain(summary.replaceAll('<', '\\<'));
    for (const option of Object.keys(options)) expect(section).toContain(`\`--${option}`);
  }
});

describe('the reference of the configuration', () => {
  const text = configurationDocs();
  const examples = [...text.matchAll(/^```yaml\n(.*?)^```/gms)].map(([, code = '']) => code);

  test('describes each key, and has an example of each', () => {
    const settings = describedSettings();
    expect(examples).toHaveLength(settings.length);
    for (const { key, description, variables } of settings) {
      const section = text.split(/^(?=###? )/m).find((each) => /^###? `([^`]+)`\n/.exec(each)?.[1] === key);
      expect(description, key).not.toBe('');
      for (const part of [description, ...variables]) expect(section, key).toContain(part);
    }
  });

  test('has examples that its JSON Schema accepts', () => {
    const validate = validatorOf(configSchemaDocs());
    for (const code of examples) {
      validate(parse(code));
      expect(validate.errors ?? [], code).toEqual([]);
    }
  });

  test.each([
    ['an unknown key', { ttl: { accesToken: 60 } }],
    ['a value of another type', { public: { port: 'many' } }],
  ])('has a JSON Schema that refuses %s', (_what, config) => {
    expect(validatorOf(configSchemaDocs())(config)).toBe(false);
  });
});

describe('the schema of the Helm chart', () => {
  const validate = validatorOf(chartSchemaDocs());

  test('accepts the default values, each of which has a description', () => {
    validate(chartValues());
    expect(validate.errors ?? []).toEqual([]);
    const descriptions = chartSchemaDocs().match(/"description": ""/g);
    expect(descriptions).toBeNull();
  });

  test.each([
    ['a misspelled value', { replicas: 2 }],
    ['a misspelled key of the configuration', { carnet: { config: { isuer: 'https://id.example.com' } } }],
    ['a value of another type', { replicaCount: 'two' }],
  ])('refuses %s', (_what, values) => {
    expect(validate(values)).toBe(false);
  });
});
