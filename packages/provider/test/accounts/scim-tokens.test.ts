import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { sqliteUrl, startAccounts } from './start-accounts.ts';
import { startScim, token } from './start-scim.ts';

const entra = 'a-token-of-entra-of-more-than-32-characters';
const okta = 'a-token-of-okta-of-more-than-32-characters';
const newOkta = 'another-token-of-okta-of-more-than-32-characters';
const digest = `sha256:${createHash('sha256').update(newOkta).digest('hex')}`;

const bearer = (value: string) => ({ authorization: `Bearer ${value}` });

test('each SCIM client has a token of its own, which audit records name', async () => {
  const tokens = [
    { name: 'entra', value: entra },
    { name: 'okta', value: `${digest},${okta}` },
  ];
  const { send, logLines } = await startScim({ tokens });
  for (const [index, value] of [token, entra, okta, newOkta].entries())
    expect((await send('POST', '/Users', { userName: `user${index}` }, bearer(value))).status).toBe(201);
  for (const wrong of [digest, `${okta},${newOkta}`, ',', `${entra}x`])
    expect((await send('GET', '/Users', undefined, bearer(wrong))).status, wrong).toBe(401);
  const audits = logLines.map((line) => JSON.parse(line).audit).filter((audit) => audit?.action === 'user.create');
  expect(audits.map(({ adminTokenName }) => adminTokenName).slice(-4)).toEqual([
    'accounts.scim.token',
    'accounts.scim.tokens.entra',
    'accounts.scim.tokens.okta',
    'accounts.scim.tokens.okta',
  ]);
});

test('named tokens suffice, and one that is removed is refused while the other is valid', async () => {
  const { send } = await startScim({ token: undefined, tokens: [{ name: 'okta', value: okta }] });
  expect((await send('GET', '/Users', undefined, bearer(okta))).status).toBe(200);
  expect((await send('GET', '/Users', undefined, bearer(entra))).status).toBe(401);
});

test('two tokens of one name, and one that is too short, stop the start', async () => {
  const startWith = (tokens: { name: string; value: string }[]) =>
    startAccounts(sqliteUrl(), { config: { accounts: { scim: { enabled: true, tokens } } } });
  const twice = ['okta', 'okta'].map((name) => ({ name, value: okta }));
  await expect(startWith(twice)).rejects.toThrow(/accounts\.scim\.tokens: has two tokens of the same name/);
  await expect(startWith([{ name: 'okta', value: `${okta},short` }])).rejects.toThrow(/at least 32 characters/);
  await expect(startWith([{ name: 'Okta', value: okta }])).rejects.toThrow(/lower-case letters/);
});
