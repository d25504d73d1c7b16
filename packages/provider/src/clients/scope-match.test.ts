import { describe, expect, it } from 'vitest';
import { scopeMatches } from './scope-match.ts';

const { exact, wildcard } = scopeMatches;

/** fosite's own cases: the granted scope, the requested scope, whether the first includes the second. */
describe.each([
  ['foo.bar.*', 'foo.bar.baz', true],
  ['foo.bar.*', 'foo.bar.baz.baz1.baz2.baz3', true],
  ['foo.bar.*', 'foo.bar', false],
  ['foo.bar.*', 'foo.bar.', false],
  ['foo.bar.*', 'foo', false],
  ['foo.*.bar', 'foo.baz.bar', true],
  ['foo.*.bar', 'foo.baz.baz.bar', false],
  ['foo.*.bar.*', 'foo.baz.bar.baz.baz1', true],
  ['foo.*.bar.*', 'foo..bar.', false],
  ['foo.*.*', 'foo.baz', false],
  ['*', 'anything', true],
  ['*', 'any.thing', true],
  ['*', '', false],
  ['foo*', 'foobar', false],
  ['foo', 'foo', true],
  ['foo', 'foo.bar', false],
])('%s for %s', (held, scope, expected) => {
  it(`wildcard matching gives ${expected}`, () => {
    expect(wildcard(new Set(['other', held]), scope)).toBe(expected);
  });

  it('exact matching compares the whole scope', () => {
    expect(exact(new Set([held]), scope)).toBe(held === scope);
  });
});
