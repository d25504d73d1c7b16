import { execFileSync } from 'node:child_process';
import { expect, inject, test } from 'vitest';
import { publishedPackages } from '../../../scripts/pack.mjs';

const filesIn = (tarball: string): readonly string[] =>
  execFileSync('tar', ['tzf', tarball], { encoding: 'utf8' }).split('\n');

test('there is one tarball for each published package, without tests', () => {
  const tarballs = inject('tarballs');
  expect(tarballs).toHaveLength(publishedPackages().length);
  for (const tarball of tarballs) {
    const files = filesIn(tarball);
    expect(files).toContain('package/package.json');
    expect(files.filter((file) => /\.test\.|\/test\//.test(file))).toEqual([]);
  }
});
