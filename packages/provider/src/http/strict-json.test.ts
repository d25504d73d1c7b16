import { describe, expect, it } from 'vitest';
import { CarnetError } from '../errors.ts';
import { isDeepJson, parseJson } from './strict-json.ts';

const problemOf = (input: string | Uint8Array, options?: Parameters<typeof parseJson>[1]): string => {
  try {
    parseJson(input, options);
  } catch (error) {
    if (error instanceof CarnetError && error.code === 'invalid_request') return error.description;
    throw error;
  }
  return 'none';
};

describe('parseJson', () => {
  it.each([
    '{}',
    '[]',
    'null',
    '"text"',
    ' {"a":[1,-2.5e3,true,false,null,{"b":"c"}],"d":""} ',
    '[{"a":1},{"a":2}]',
    '{"a":"b","b":"a"}',
    '{"a":{"a":{"a":"a"}}}',
    '{"escaped \\" \\\\ \\/ \\n":"\\u0041","\\ud83d\\ude00":"😀"}',
    '["}",",","{",":","\\\\"]',
    '{"constructor":1,"prototype":2}',
  ])('reads %s as JSON.parse does', (text) => {
    expect(parseJson(text)).toEqual(JSON.parse(text));
    expect(parseJson(Buffer.from(text))).toEqual(JSON.parse(text));
  });

  it.each([
    ['{"a":1,"a":2}', 'twice'],
    ['{"a":1,"\\u0061":2}', 'twice'],
    ['{"x":{"b":1,"c":[],"b":2}}', 'twice'],
    ['[{"__proto__":{"admin":true}}]', '__proto__'],
    ['{"\\u005f_proto__":1}', '__proto__'],
    ['{"a":"\\u0000"}', 'u0000'],
    ['{"a\\u0000":1}', 'u0000'],
    ['"\\ud800"', 'surrogate'],
    ['"\\ud800\\u0041"', 'surrogate'],
    ['"\\ud800\\ud800"', 'surrogate'],
    ['"\\udc00"', 'surrogate'],
    ['"\\ud83dx\\ude00"', 'surrogate'],
    ['"\ud800"', 'surrogate'],
    ['', 'empty'],
    ['{', 'well-formed'],
    ['"', 'well-formed'],
    ['"\\', 'well-formed'],
    ['"\\u12', 'well-formed'],
    ['{"a":1,}', 'well-formed'],
    ['{"a" 1}', 'well-formed'],
    ["{'a':1}", 'well-formed'],
    ['[1] [2]', 'well-formed'],
    ['NaN', 'well-formed'],
    ['"\u0000"', 'well-formed'],
    ['{"\\uZZZZ":1}', 'well-formed'],
    ['\ufeff{}', 'well-formed'],
  ])('refuses %j', (text, problem) => {
    expect(problemOf(text)).toContain(problem);
  });

  it('refuses bytes that are not UTF-8', () => {
    expect(problemOf(Uint8Array.of(0x22, 0xff, 0x22))).toContain('UTF-8');
    // A surrogate encoded by itself (CESU-8).
    expect(problemOf(Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22))).toContain('UTF-8');
  });

  it('allows 32 levels and not one more', () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect(problemOf(nested(32))).toBe('none');
    expect(problemOf(nested(33))).toContain('32 levels');
    expect(problemOf(`[${Array(100).fill('{"a":[]}').join(',')}]`)).toBe('none');
  });

  it('allows 10,000 items, as many bytes as its caller does, and not one more', () => {
    const items = (count: number) => JSON.stringify(Array(count).fill(1));
    expect(problemOf(items(10_000))).toBe('none');
    expect(problemOf(items(10_001))).toContain('10000 items');
    expect(problemOf('"1234"', { maxBytes: 6 })).toBe('none');
    expect(problemOf('"12345"', { maxBytes: 6 })).toContain('6 bytes');
  });

  const megabyte = 1_000_000;
  it.each([
    ['2,000 levels', '{"a":'.repeat(2000)],
    ['a megabyte of opening brackets', '['.repeat(megabyte)],
    ['a megabyte of opening braces', '{'.repeat(megabyte)],
    ['a megabyte of escapes', `"${'\\'.repeat(megabyte)}`],
    ['a megabyte of quotes', '"'.repeat(megabyte)],
    ['a megabyte of commas', ','.repeat(megabyte)],
    ['members without end', `{${Array.from({ length: 90_000 }, (_, i) => `"k${i}":1`).join(',')}}`],
    ['escaped surrogates without end', `"${'\\ud800'.repeat(100_000)}"`],
  ])('refuses %s instead of choking on it', (_name, text) => {
    expect(problemOf(text)).not.toBe('none');
  });

  it('reads a megabyte of text and of escapes', () => {
    const text = 'é'.repeat(400_000);
    expect(parseJson(JSON.stringify({ text }), { maxBytes: 2 * megabyte })).toEqual({ text });
    expect(parseJson(`"${'\\u0041'.repeat(100_000)}"`)).toBe('A'.repeat(100_000));
  });

  it('names what it read and never quotes it', () => {
    expect(problemOf('{"s3cret":1,"s3cret":2}', { what: 'The page token' })).toMatch(/^The page token names/);
    expect(problemOf('{"s3cret":1,"s3cret":2}')).not.toContain('s3cret');
    expect(problemOf('{"s3cret"')).not.toContain('s3cret');
  });
});

describe('isDeepJson', () => {
  const nested = (levels: number): string => '[{"a":'.repeat(levels / 2) + '}]'.repeat(levels / 2);

  it('counts levels, and no brackets in strings', () => {
    expect(isDeepJson(nested(32))).toBe(false);
    expect(isDeepJson(nested(34))).toBe(true);
    expect(isDeepJson(`["${'['.repeat(100)}"]`)).toBe(false);
    expect(isDeepJson(String.raw`["\"${'['.repeat(33)}`)).toBe(false);
    expect(isDeepJson(`["a"${',["b\\\\"'.repeat(33)}`)).toBe(true);
  });

  it.each(['"', '\\"', '"\\', '[', ']', '["'])('reads a megabyte of %s in no time', (text) => {
    // The time of the processor: how busy the machine is does not count.
    const before = process.threadCpuUsage();
    isDeepJson(text.repeat(1_000_000 / text.length));
    expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(1_000);
  });
});
