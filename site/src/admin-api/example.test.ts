import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { root } from '../repository.ts';
import { bodyOf, endpoints } from './document.ts';
import { exampleOf, requestExampleOf } from './example.ts';
import { adminApiPages } from './pages.ts';

const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(JSON.parse(readFileSync(`${root}docs/reference/openapi.json`, 'utf8')), 'api');

/** The errors of a value, with references of the schema to the document of the API. */
const errorsOf = (schema: object, value: unknown): unknown => {
  const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"api#/components'));
  const validate = ajv.compile(absolute);
  return validate(value) ? [] : { value, errors: validate.errors };
};

test.each(endpoints)('$method $path: the examples are what the schemas allow', (endpoint) => {
  const request = bodyOf(endpoint.requestBody);
  if (request !== undefined) expect(errorsOf(request.schema, requestExampleOf(endpoint))).toEqual([]);
  for (const response of Object.values(endpoint.responses)) {
    const body = bodyOf(response);
    if (body?.type === 'application/json') expect(errorsOf(body.schema, exampleOf(body.schema))).toEqual([]);
  }
});

test('each operation has a section with a command line', () => {
  const text = Object.values(adminApiPages()).join('\n');
  for (const { operationId } of endpoints) expect(text).toContain(`\n## ${operationId}\n`);
  expect(text).toContain(`curl "$ADMIN/admin/clients" -H 'content-type: application/json' -d '{`);
});
