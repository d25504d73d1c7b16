import { Validator } from '@seriousme/openapi-schema-validator';
import { beforeAll, describe, expect, test } from 'vitest';
import { checked, problemsOf } from '../answer-check.ts';
import { type ApiDocument, apiDocument } from '../api-document.ts';
import { startBeforeTests } from '../before-tests.ts';

describe('the OpenAPI document of the admin API', () => {
  let document: ApiDocument;
  beforeAll(async () => {
    document = await apiDocument();
  });

  const operations = () => Object.values(document.paths).flatMap((methods) => Object.values(methods));

  test('the document conforms to OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate({ ...document });
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
  });

  test('describes every route', () => {
    const undescribed = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { operationId }]) => operationId === undefined)
        .map(([method]) => `${method.toUpperCase()} ${path}`),
    );
    expect(undescribed).toEqual([]);
  });

  test('names each operation once', () => {
    const names = operations().map(({ operationId }) => operationId);
    expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
  });

  test('gives every schema a type, a choice or a reason to have neither', () => {
    const { OAuth2Client } = document.components.schemas as Record<string, { properties?: Record<string, object> }>;
    const untyped = Object.entries(OAuth2Client?.properties ?? {})
      .filter(([, schema]) => !['type', 'anyOf', 'enum', 'const'].some((word) => word in schema))
      .map(([name]) => name);
    expect(untyped).toEqual([]);
  });
});

describe('an answer that is not as documented', () => {
  test.each([
    ['has a member too many', '{"version":"1","more":1}', 200],
    ['lacks a member', '{}', 200],
    ['is of another type', '{"version":1}', 200],
    ['is an error with a third member', '{"error":"e","error_description":"d","error_hint":"h"}', 500],
  ])('the check finds an answer that %s', async (_what, text, status) => {
    expect(await problemsOf({ method: 'GET', path: '/version', status, text })).not.toEqual([]);
    const { listener, assertAsDocumented } = checked((_request, response) => {
      response.statusCode = status;
      response.end(text);
    });
    listener({ method: 'GET', url: '/admin/version' } as never, { end: () => undefined } as never);
    await expect(assertAsDocumented()).rejects.toThrow('GET /admin/version');
  });

  test('the check accepts a documented answer', async () => {
    expect(await problemsOf({ method: 'GET', path: '/version', status: 200, text: '{"version":"1"}' })).toEqual([]);
  });
});

describe('GET /admin/openapi.json', () => {
  const instance = startBeforeTests({ config: { admin: { token: 'a-token-of-the-tests-long' } } });

  test('every caller who may use the admin API gets the document', async () => {
    expect((await fetch(`${instance.admin}/admin/openapi.json`)).status).toBe(401);
    const headers = { authorization: 'Bearer a-token-of-the-tests-long' };
    const response = await fetch(`${instance.admin}/openapi.json`, { headers });
    expect(response.status).toBe(200);
    expect(Object.keys(((await response.json()) as ApiDocument).paths)).toContain('/admin/clients/{id}');
  });
});
