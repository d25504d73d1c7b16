import { expect, test } from 'vitest';
import { objectsIn } from './json.ts';

test.each([
  ['{"a": 1}', [{ a: 1 }]],
  ['[{"a": 1}, {}]', [{ a: 1 }, {}]],
  ['{"items": [{"a": 1}]}', [{ a: 1 }]],
  ['{"items": "none"}', [{ items: 'none' }]],
  ['{"a": 1}\n\n {"b": 2}\r\n', [{ a: 1 }, { b: 2 }]],
  ['[]', []],
])('objects are read from %j', (text, objects) => {
  expect(objectsIn(text)).toEqual({ objects });
});

test.each([
  ['', { problem: 'not_json' }],
  ['{\n"a": 1', { problem: 'not_json' }],
  ['\n{"a": 1}\n{"b"', { problem: 'not_json', line: 3 }],
  ['{"a": 1}\n[{"b": 1}]', { problem: 'not_objects', line: 2 }],
  ['[1]', { problem: 'not_objects' }],
  ['null', { problem: 'not_objects' }],
])('%j has no objects, with the line that is wrong', (text, problem) => {
  expect(objectsIn(text)).toEqual(problem);
});
