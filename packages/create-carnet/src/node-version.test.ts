import { expect, test } from 'vitest';
import { assertNodeVersion } from './node-version.ts';

test.each(['22.18.0', '22.20.1', '24.0.0'])('Node.js %s runs a created app', (version) => {
  expect(() => assertNodeVersion(version)).not.toThrow();
});

test.each(['20.20.2', '22.17.1', '22.9.0'])('Node.js %s is refused, with the version that is needed', (version) => {
  expect(() => assertNodeVersion(version)).toThrow(`needs Node.js 22.18 or later, and this is ${version}`);
});
