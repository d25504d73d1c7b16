import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderForTests } from '../../test/servers/src/folder-for-tests.ts';
import { assertNoOutsideAddress } from './outside-addresses.ts';

const folder = folderForTests();

test.each([
  '<script src="https://cdn.example/a.js">',
  '<link rel="stylesheet" href="//fonts.example/a.css">',
  '<img alt="" src="http://images.example/a.png">',
  '<style>@import "https://fonts.example/a.css";</style>',
])('a page with %s is refused', (html) => {
  writeFileSync(join(folder, 'a.html'), html);
  expect(() => assertNoOutsideAddress(folder)).toThrow('a.html');
});

test('a page may link to other sites', () => {
  writeFileSync(join(folder, 'a.html'), '<a href="https://example.com">a</a><img src="/a.png"><script src="/a.js">');
  expect(() => assertNoOutsideAddress(folder)).not.toThrow();
});
