import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { audit, createLedger } from './ledger.ts';
import { fill } from './templates.ts';
import { figuresOf } from './timeline.ts';

test('the audit finds what was lost, what was revived and what was redeemed twice', async () => {
  const ledger = createLedger();
  for (const name of ['kept', 'lost', 'unknown', 'revoked', 'revived']) ledger.issue(name, name);
  ledger.forget('unknown');
  for (const name of ['revoked', 'revived']) ledger.revoke(name);
  for (const code of ['once', 'at once', 'at once', 'again']) ledger.redeemed(code);
  ledger.endedSessions.push(new Map([['session', 'over']]), new Map([['session', 'alive']]));
  const found = await audit(ledger, {
    isActive: async (token) => token === 'kept' || token === 'revived',
    isSessionAlive: async (cookies) => cookies.get('session') === 'alive',
    redeemsAgain: async (code) => code === 'again',
  });
  expect(found).toEqual({
    acknowledgedTokens: 2,
    lostTokens: 1,
    acknowledgedRevocations: 2,
    revivedTokens: 1,
    endedSessions: 2,
    revivedSessions: 1,
    redeemedCodes: 3,
    codesRedeemedTwice: 2,
  });
});

test('the figures of a fault are those of the logins that ended in its time', () => {
  const attempts = [
    { begunAt: 500, endedAt: 600 },
    { begunAt: 1_000, endedAt: 1_100 },
    { begunAt: 2_000, endedAt: 9_500, failure: 'unanswered' as const },
    { begunAt: 7_000, endedAt: 7_100, failure: 'wrong' as const },
    { begunAt: 9_000, endedAt: 11_000 },
    // The next fault's, although it began before.
    { begunAt: 19_900, endedAt: 20_100, failure: 'refused' as const },
  ];
  const failures = [
    { at: 2_500, kind: 'refused' as const },
    { at: 9_500, kind: 'unanswered' as const },
    { at: 20_100, kind: 'refused' as const },
  ];
  const fault = { name: 'kill', from: 1_000, primaryReadyAt: 8_000, to: 20_000 };
  expect(figuresOf({ attempts, failures }, fault)).toEqual({
    name: 'kill',
    logins: 4,
    failedLogins: 2,
    refused: 1,
    unanswered: 1,
    wrong: 1,
    primaryReadySeconds: 7,
    lastFailureSeconds: 1.5,
    longestGapSeconds: 9.9,
    p99Ms: 2_000,
  });
});

test.for([
  ['postgres-ha', 20],
  ['mariadb-galera', 15],
] as const)('every placeholder of the templates in %s is in their README', ([name, least]) => {
  const folder = new URL(`../../../deploy/${name}/`, import.meta.url);
  const read = (file: string) => readFileSync(new URL(file, folder), 'utf8');
  const readme = read('README.md');
  const templates = readdirSync(folder).filter((file) => file !== 'README.md');
  const names = templates.flatMap((file) => Array.from(read(file).matchAll(/\$\{(\w+)\}/g), ([, found = '']) => found));
  expect(names.length).toBeGreaterThan(least);
  for (const each of names.filter((found) => !/^(POSTGRES_2|MARIADB_2|.*_PASSWORD)$/.test(found)))
    expect(readme).toContain(`\`${each}\``);
});

test('a template is filled with values as they are, and needs each', () => {
  const placeholder = ['$', '{ONE}'].join('');
  expect(fill(`a=${placeholder}`, { ONE: '$1' })).toBe('a=$1');
  expect(() => fill(placeholder, {})).toThrow('ONE');
});
