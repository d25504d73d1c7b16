import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import * as sdk from '@ory/hydra-client';
import { beforeAll, describe, expect, test } from 'vitest';
import { adminOperations, publicEndpoints } from '../../../../test/docs/hydra-surface.ts';
import { type ApiDocument, apiDocument, type Operation } from '../api-document.ts';

const declarations = readFileSync(
  join(dirname(createRequire(import.meta.url).resolve('@ory/hydra-client')), 'api.d.ts'),
  'utf8',
);

const apis = { OAuth2Api: sdk.OAuth2Api, JwkApi: sdk.JwkApi, OidcApi: sdk.OidcApi, WellknownApi: sdk.WellknownApi };
const methodsOf = (api: { readonly prototype: object }): string[] =>
  Object.getOwnPropertyNames(api.prototype).filter((name) => name !== 'constructor');

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The parameters of an operation that are values, not bodies: in the path, the query or a form. */
const parametersOf = (operation: string): string[] => {
  const name = operation[0]?.toUpperCase() + operation.slice(1);
  const body = new RegExp(`export interface \\w+Api${name}Request \\{([^]*?)\\n\\}`).exec(declarations)?.[1] ?? '';
  return [...body.matchAll(/readonly (\w+)\??: (?:string|number|boolean);/g)].map(([, parameter]) =>
    snake(String(parameter)),
  );
};

describe('what docs/migrate/from-hydra.md is made of', () => {
  let operations: ReadonlyMap<string, Operation & { readonly path: string }>;
  beforeAll(async () => {
    const { paths }: ApiDocument = await apiDocument();
    operations = new Map(
      Object.entries(paths).flatMap(([path, methods]) =>
        Object.values(methods).map((operation) => [String(operation.operationId), { ...operation, path }] as const),
      ),
    );
  });

  const listed = [
    ...publicEndpoints.flatMap(({ operations: names = [] }) => names),
    ...adminOperations.map(({ operation }) => operation),
  ];

  test.each(Object.entries({ ...apis, MetadataApi: sdk.MetadataApi }))(
    'has every operation of the SDK: %s',
    (_name, api) => {
      expect(methodsOf(api).length).toBeGreaterThan(0);
      expect(methodsOf(api).filter((name) => !listed.includes(name))).toEqual([]);
    },
  );

  test('has every operation of ours that Hydra has, with all of its parameters', () => {
    const missing = adminOperations.flatMap(({ operation, without = {} }) => {
      const ours = operations.get(operation);
      if (ours === undefined) return [];
      const { properties = {} } = (ours.requestBody?.content['application/x-www-form-urlencoded']?.schema ?? {}) as {
        properties?: object;
      };
      const known = [...ours.parameters.map(({ name }) => name), ...Object.keys(properties), ...Object.keys(without)];
      const inPath = ours.parameters.filter((parameter) => parameter.in === 'path').length;
      // What a segment of a path is called is nobody's business: the SDK fills them in by their order.
      const theirs = parametersOf(operation).filter((name) => !known.includes(name));
      const unnamed = theirs.slice(known.some((name) => parametersOf(operation).includes(name)) ? 0 : inPath);
      return unnamed.map((name) => `${operation}: ${name}`);
    });
    expect(missing).toEqual([]);
  });

  test('reads parameters at all', () => {
    expect(parametersOf('listOAuth2Clients')).toEqual(['page_size', 'page_token', 'client_name', 'owner']);
    expect(parametersOf('introspectOAuth2Token')).toEqual(['token', 'scope']);
  });
});
