import { StoreUnfitError } from '@carnet/adapter-contract';
import { describe, expect, test } from 'vitest';
import { parseAddress } from './address.ts';

describe('a URL', () => {
  test('names a region and a table', () => {
    expect(parseAddress('dynamodb://eu-west-1/carnet')).toEqual({
      region: 'eu-west-1',
      table: 'carnet',
      endpoint: 'https://dynamodb.eu-west-1.amazonaws.com',
      timeoutMs: 5_000,
      expiry: 'ttl',
    });
  });

  test('names an endpoint, a timeout and how records expire', () => {
    const url = 'dynamodb://us-gov-east-1/my.table_1?endpoint=http://127.0.0.1:8000&timeout=900&expiry=sweep';
    expect(parseAddress(url)).toEqual({
      region: 'us-gov-east-1',
      table: 'my.table_1',
      endpoint: 'http://127.0.0.1:8000',
      timeoutMs: 900,
      expiry: 'sweep',
    });
  });

  test('in China has the domain of that partition', () => {
    expect(parseAddress('dynamodb://cn-north-1/carnet').endpoint).toBe('https://dynamodb.cn-north-1.amazonaws.com.cn');
  });

  test.for([
    'dynamodb:carnet',
    'dynamodb://carnet',
    'dynamodb://eu-west-1/ab',
    'dynamodb://eu-west-1/a b c',
    'dynamodb://key:secret@eu-west-1/carnet',
    'dynamodb://eu-west-1/carnet?timeout=99',
    'dynamodb://eu-west-1/carnet?timeout=1e3',
    'dynamodb://eu-west-1/carnet?expiry=never',
    'dynamodb://eu-west-1/carnet?key=secret',
    'dynamodb://eu-west-1/carnet?endpoint=localhost',
    'dynamodb://eu-west-1/carnet?endpoint=https://key:secret@example.com',
    'dynamodb://eu-west-1/carnet?endpoint=http://example.com',
    'dynamodb://eu-west-1/carnet#fragment',
  ])('that is unusable is refused, without a repetition of its text: %s', (url) => {
    expect(() => parseAddress(url)).toThrow(StoreUnfitError);
    expect(() => parseAddress(url)).not.toThrow('secret');
  });
});
