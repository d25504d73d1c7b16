import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeIn, regionsOf, registrationIn, sections } from './guide.ts';
import { type Stack, startStack } from './stack.ts';

test.each([
  ['openid-client', 'openid-client.ts', 0],
  ['passport-openidconnect', 'passport-openidconnect.ts', 0],
  ['Auth.js', 'auth-js.ts', 0],
  ['express-openid-connect', 'express-openid-connect.ts', 0],
  ['express-openid-connect without a secret', 'express-openid-connect.ts', 1],
  ['oidc-client-ts', 'oidc-client-ts.page.js', 0],
])('the settings of %s in docs/guides/clients.md are those of the tested program', (section, file, region) => {
  const program = readFileSync(new URL(`src/${file}`, import.meta.url), 'utf8');
  expect(codeIn(section)).toEqual([regionsOf(program)[region]]);
});

describe('docs/guides/clients.md', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack({ features: { implicit: { enabled: true } } });
  });
  afterAll(() => stack?.[Symbol.asyncDispose]());

  test.each(sections)('%s: the client can be registered as written', async (section) => {
    const body = registrationIn(section, 'https://app.example.com');
    const response = await fetch(`${stack.admin}/admin/clients`, { method: 'POST', body });
    const { client_id: id, ...rest } = (await response.json()) as Record<string, unknown>;
    expect(rest).not.toHaveProperty('error');
    await fetch(`${stack.admin}/admin/clients/${id}`, { method: 'DELETE' });
  });
});
