import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errors } from 'oidc-provider';
import { expect, test } from 'vitest';

const library = dirname(createRequire(import.meta.url).resolve('oidc-provider'));
const source = fileURLToPath(new URL('../../src', import.meta.url));
const document = readFileSync(new URL('../../../../docs/reference/errors.md', import.meta.url), 'utf8');

/** Files of the library that never run here, or raise nothing. */
const withoutEffect =
  /helpers[\\/](?:errors|defaults|configuration)\.js$|actions[\\/]credential|attest|challenge|shared[\\/]set_www_authenticate/;

const filesIn = (folder: string, ending: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending) && !name.endsWith('.test.ts') && !withoutEffect.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'));

const code = [...filesIn(library, '.js'), ...filesIn(source, '.ts')].join('\n');

type ErrorClass = new (...args: string[]) => Error & { readonly error?: string; readonly statusCode?: number };

const errorOf = ({ error, statusCode }: InstanceType<ErrorClass>) => ({ error, statusCode });

/** Each code that the library or we raise by one of its classes, with its status. */
const raised = Object.entries(errors as unknown as Record<string, ErrorClass>)
  .map(([name, Class]) => ({ name, ...errorOf(new Class('why')) }))
  .filter(({ error }) => error !== undefined && error !== 'why')
  // By its class; or by its code, where a check of a prompt names it.
  .filter(({ name, error }) => new RegExp(`\\bnew (?:errors\\.)?${name}\\b|'${error}'`).test(code))
  .map(({ error, statusCode }) => [String(error), Number(statusCode)] as const);

/** Codes that stand in our own sources, as the `error` of an answer. */
const literal = [...code.matchAll(/rejection: \{ error: '(\w+)'/g)].map(([, name]) => String(name));

const section = document.slice(document.indexOf('## Errors for OAuth clients'));
const rows = [...section.matchAll(/^\| `(\w+)` \| (\d+)/gm)].map(
  ([, name, status]) => [String(name), Number(status)] as const,
);
const listed = new Map(rows);

test('docs/reference/errors.md explains each OAuth error once', () => {
  expect(rows.map(([name]) => name)).toEqual([...listed.keys()]);
});

test('docs/reference/errors.md lists every OAuth error that can be answered, and no other', () => {
  const codes = new Set([...raised.map(([name]) => name), ...literal]);
  expect(codes.size).toBeGreaterThan(20);
  expect([...listed.keys()].toSorted()).toEqual([...codes].toSorted());
});

test('docs/reference/errors.md names a status that it is answered with', () => {
  // The store, or something bounded, is the reason: ours, see `errors.ts`.
  const ours: Readonly<Record<string, number>> = { temporarily_unavailable: 503 };
  for (const [name, status] of listed) {
    const statuses = ours[name] ?? raised.filter(([one]) => one === name).map(([, one]) => one);
    expect([name, [statuses].flat()]).toEqual([name, expect.arrayContaining([status])]);
  }
});
