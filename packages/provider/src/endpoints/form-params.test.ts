import * as querystring from 'node:querystring';
import { describe, expect, it } from 'vitest';
import { createRandom, seedOfTests, timesOfTests } from '../../test/generated/random.ts';
import { parsePlainForm } from './form-params.ts';

const bySearchParams = (text: string) => [...new URLSearchParams(text)];
const byQuerystring = (text: string) => Object.entries(querystring.parse(text));

const pieces = [
  'a',
  'b',
  '1',
  '=',
  '&',
  '+',
  '%',
  '%20',
  '%26',
  '%3D',
  '%41',
  '%c3',
  '%a4',
  '%00',
  '%5B',
  ';',
  '#',
  '?',
];

describe('a plain form', () => {
  it.each([
    ['', []],
    ['a=1', [['a', '1']]],
    ['a=', [['a', '']]],
    ['a=b=c', [['a', 'b=c']]],
    ['a=1&b=2', [['a', '1'], ['b', '2']]], // biome-ignore format: a table
    ['a=x+y%20z%2B', [['a', 'x y z+']]],
    ['a=%C3%A4', [['a', 'ä']]],
    ['a%5B0%5D=1', [['a[0]', '1']]],
    ['__proto__=1&constructor=2', [['__proto__', '1'], ['constructor', '2']]], // biome-ignore format: a table
  ])('%s is read as every parser reads it', (text, expected) => {
    expect([...(parsePlainForm(text) ?? [])]).toEqual(expected);
  });

  it.each([
    ['a name that comes twice', 'a=1&a=2'],
    ['a name that comes twice, once escaped', 'a=1&%61=2'],
    ['a name without =', 'a'],
    ['no name', '=1'],
    ['an empty pair', 'a=1&&b=2'],
    ['an empty pair at the end', 'a=1&'],
    ['a malformed escape', 'a=%zz'],
    ['an escape that is cut off', 'a=%4'],
    ['bytes that are no UTF-8', 'a=%ff'],
    ['an overlong encoding', 'a=%c0%80'],
    ['a surrogate', 'a=%ED%A0%80'],
    ['the replacement character', 'a=%EF%BF%BD'],
    ['NUL', 'a=%00'],
    ['a line feed', 'a=%0A'],
    ['DEL', 'a=%7F'],
    ['a C1 control character', 'a=%C2%85'],
    ['a question mark in front', '?a=1'],
    ['a blank', 'a=1 2'],
    ['a tab', 'a=1\t2'],
    ['bytes beyond ASCII', 'a=\u00e4'],
  ])('a body that has %s is left to another parser', (_what, text) => {
    expect(parsePlainForm(text)).toBeUndefined();
  });

  it(`the parser agrees with URLSearchParams and querystring: seed ${seedOfTests}`, () => {
    const random = createRandom(seedOfTests);
    let plain = 0;
    for (let round = 0; round < 20_000 * timesOfTests; round++) {
      const text = Array.from({ length: 2 + (round % 9) }, () => random.pick(pieces)).join('');
      const params = parsePlainForm(text);
      if (params === undefined) continue;
      plain++;
      expect(bySearchParams(text), text).toEqual([...params]);
      // Numbers come first among the properties of an object: order is nobody's concern.
      expect(byQuerystring(text).sort(), text).toEqual([...params].sort());
    }
    expect(plain).toBeGreaterThan(500 * timesOfTests);
  });
});
