import { readFileSync } from 'node:fs';
import type { accountsSchema } from '@carnet/accounts/config';
import type { eventsSchema } from '@carnet/events/config';
import { errorTable } from '@carnet/provider';
import { expect, expectTypeOf, test } from 'vitest';
import type { ConfigInput } from '../packages/provider/src/config/config-input.ts';
import type { configSchema } from '../packages/provider/src/config/schema.ts';
import { chartReadmeDocs } from './docs/chart-values.ts';
import { configInputSource } from './docs/config-input.ts';
import { conformanceDocs } from './docs/conformance.ts';
import { fromHydraDocs } from './docs/from-hydra.ts';
import { documentsWithIncludes } from './docs/includes.ts';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

test('docs/reference/errors.md lists exactly the errors there are, with their status', () => {
  const [own = ''] = read('docs/reference/errors.md').split('## Errors for OAuth clients');
  const listed = [...own.matchAll(/^\| `(\w+)` \| (\d+) \|/gm)].map(([, code, status]) => [code, Number(status)]);
  const raised = Object.entries(errorTable).map(([code, { status }]) => [code, status]);
  expect(listed.toSorted()).toEqual(raised.toSorted());
});

test('packages/provider/src/config/config-input.ts is what `npm run docs:write` writes', () => {
  expect(read('packages/provider/src/config/config-input.ts')).toBe(configInputSource());
  // The schema accepts whatever the type allows.
  type Optional = 'accounts' | 'events';
  expectTypeOf<Omit<ConfigInput, Optional>>().toExtend<Omit<(typeof configSchema)['_zod']['input'], Optional>>();
  expectTypeOf<ConfigInput['accounts']>().toExtend<(typeof accountsSchema)['_zod']['input']>();
  expectTypeOf<ConfigInput['events']>().toExtend<(typeof eventsSchema)['_zod']['input']>();
});

test('the README of the Helm chart is what `npm run docs:write` writes', () => {
  expect(read('deploy/chart/README.md')).toBe(chartReadmeDocs());
});

test('docs/migrate/from-hydra.md is what `npm run docs:write` writes', async () => {
  expect(read('docs/migrate/from-hydra.md')).toBe(await fromHydraDocs());
});

test('docs/concepts/conformance.md is what `npm run docs:write` writes, and names tests and sections', () => {
  const written = read('docs/concepts/conformance.md');
  expect(written).toBe(conformanceDocs());
  expect(written).toMatch(/\| OpenID Connect Core 1\.0 \| .*3\.1\.2\.1, .*\| `openid-core-code\.test\.ts` \|/);
});

test('documents show the files that they include, as `npm run docs:write` copies them', () => {
  const documents = [...documentsWithIncludes()];
  expect(documents.length).toBeGreaterThan(0);
  for (const [path, written] of documents) expect(read(path), path).toBe(written);
});
