import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const guide = readFileSync(new URL('../../../docs/guides/directories.md', import.meta.url), 'utf8');

// test/snippets checks that Carnet accepts each example.
test('docs/guides/directories.md has an example for each kind of directory', () => {
  const blocks = [...guide.matchAll(/^```yaml\n(.*?)^```/gms)].map(([, block = '']) => block);
  const kinds = blocks.flatMap((block) => [...block.matchAll(/kind: (\w+)/g)].map(([, kind]) => kind));
  expect([...new Set(kinds)].toSorted()).toEqual(['file', 'http', 'ldap', 'sql']);
});
