import { expect, test } from 'vitest';
import { objectsIn } from './json.ts';

test.each([
  ['{"a": 1}', [{ a: 1 }]],
  ['[{"a": 1}, {}]', [{ a: 1 }, {}]],
  ['{"items": [{"a": 1}]}', [{ a: 1 }]],
  ['{"items": [{"a": 1}], "next_page_token": "", "is_last_page": true}', [{ a: 1 }]],
  ['{"items": "none"}', [{ items: 'none' }]],
  ['{"a": 1}\n\n {"b": 2}\r\n', [{ a: 1 }, { b: 2 }]],
  ['[]', []],
])('objects are read from %j', (text, objects) => {
  expect(objectsIn(text)).toEqual({ objects });
});

test.each([
  ['', { problem: 'empty' }],
  ['\ufffd\ufffd[\0{\0', { problem: 'not_utf8' }],
  ['{"items": [{"a": 1}], "is_last_page": false}', { problem: 'one_page' }],
  ['{"items": [{"a": 1}], "next_page_token": "abc"}', { problem: 'one_page' }],
  ['{\n"a": 1', { problem: 'not_json' }],
  ['\n{"a": 1}\n{"b"', { problem: 'not_json', line: 3 }],
  ['{"a": 1}\n[{"b": 1}]', { problem: 'not_objects', line: 2 }],
  ['[1]', { problem: 'not_objects' }],
  ['null', { problem: 'not_objects' }],
])('%j has no objects, with the line that is wrong', (text, problem) => {
  expect(objectsIn(text)).toEqual(problem);
});
