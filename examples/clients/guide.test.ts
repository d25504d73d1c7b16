import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { codeIn, regionsOf } from './guide.ts';

test.each([
  ['openid-client', 'openid-client.ts', 0],
  ['passport-openidconnect', 'passport-openidconnect.ts', 0],
  ['Auth.js', 'auth-js.ts', 0],
  ['express-openid-connect', 'express-openid-connect.ts', 0],
  ['express-openid-connect without a secret', 'express-openid-connect.ts', 1],
  ['oidc-client-ts', 'oidc-client-ts.page.js', 0],
])('the settings of %s in docs/clients.md are those of the tested program', (section, file, region) => {
  const program = readFileSync(new URL(`src/${file}`, import.meta.url), 'utf8');
  expect(codeIn(section)).toEqual([regionsOf(program)[region]]);
});
