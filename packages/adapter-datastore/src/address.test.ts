import { StoreUnfitError } from '@carnet/adapter-contract';
import { describe, expect, test } from 'vitest';
import { parseAddress } from './address.ts';

describe('a URL', () => {
  test('names a project, with the default database and namespace', () => {
    expect(parseAddress('datastore:my-project')).toEqual({
      projectId: 'my-project',
      databaseId: '',
      namespaceId: '',
      endpoint: undefined,
      timeoutMs: 5_000,
      expiry: 'sweep',
    });
  });

  test('names a database, a namespace and an endpoint', () => {
    const url = 'datastore:my-project/logins?namespace=carnet.1&endpoint=eur3-datastore.googleapis.com:443';
    expect(parseAddress(`${url}&timeout=900&expiry=ttl`)).toEqual({
      projectId: 'my-project',
      databaseId: 'logins',
      namespaceId: 'carnet.1',
      endpoint: 'eur3-datastore.googleapis.com:443',
      timeoutMs: 900,
      expiry: 'ttl',
    });
  });

  test('names the default database as Google does', () => {
    expect(parseAddress('datastore:my-project/(default)').databaseId).toBe('');
  });

  test('names a project of a domain', () => {
    expect(parseAddress('datastore:example.com:my-project').projectId).toBe('example.com:my-project');
  });

  test.for([
    'datastore:',
    'datastore://my-project',
    'datastore:My Project',
    'datastore:my-project/a/b',
    'datastore:my-project?timeout=99',
    'datastore:my-project?timeout=1e3',
    'datastore:my-project?namespace=',
    'datastore:my-project?namespace=a b',
    'datastore:my-project?endpoint=localhost',
    'datastore:my-project?expiry=never',
    'datastore:my-project?key=secret',
    'datastore:my-project#fragment',
  ])('an unusable URL is refused, without a repetition of its text: %s', (url) => {
    expect(() => parseAddress(url)).toThrow(StoreUnfitError);
    expect(() => parseAddress(url)).not.toThrow('secret');
  });
});
