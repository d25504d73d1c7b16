import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSlapd } from '../src/index.ts';
import { isSilent } from './silence.ts';

const run = promisify(execFile);

const slapd = beforeTests(() => startSlapd());
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'carnet-slapd-test-'));
  writeFileSync(join(folder, 'ca.pem'), slapd.ca);
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
});

/** What `ldapsearch` prints, or its error. */
const search = async (url: string, account: { dn: string; password: string }, ...args: readonly string[]) => {
  const bind = ['-x', '-LLL', '-H', url, '-D', account.dn, '-w', account.password];
  try {
    const { stdout } = await run('ldapsearch', [...bind, ...args], {
      env: { ...process.env, LDAPTLS_CACERT: join(folder, 'ca.pem') },
    });
    return stdout;
  } catch (error) {
    return (error as { stderr: string }).stderr;
  }
};
const bindAs = (uid: string, url = slapd.url) => search(url, slapd.user(uid), '-s', 'base', '-b', '', '1.1');

test.each(['ada', 'ben', 'cleo', 'dora', 'user0001', 'user0002', 'user0003', 'user0004'])(
  'the password of %s binds, a wrong one does not',
  async (uid) => {
    expect(await bindAs(uid)).toContain('dn:');
    const wrong = { dn: slapd.user(uid).dn, password: 'wrong' };
    expect(await search(slapd.url, wrong, '-s', 'base', '-b', '', '1.1')).toContain('Invalid credentials (49)');
  },
);

test('accounts have states, and servers have answers', async () => {
  expect(await bindAs('locked')).toContain('(49)');
  expect(await bindAs('expired')).toContain('(49)');
  expect(await bindAs('ad-disabled')).toContain('data 533');
  expect(await bindAs('busy')).toContain('(51)');
  expect(await bindAs('vanished')).toContain('(32)');
});

test('groups are nested, and a referral names another server', async () => {
  const ada = await search(slapd.url, slapd.reader, '-b', slapd.peopleDn, '(uid=ada)', 'memberOf');
  for (const name of ['engineering', 'staff', 'everyone']) expect(ada).toContain(`memberOf: cn=${name},`);
  expect(await search(slapd.url, slapd.reader, '-b', slapd.remoteDn, '(uid=ada)')).toContain('refldap://');
});

test('LDAPS and StartTLS present a certificate of the tests; another certificate is refused', async () => {
  expect(await bindAs('ada', slapd.tlsUrl)).toContain('dn:');
  expect(await search(slapd.url, slapd.user('ada'), '-ZZ', '-s', 'base', '-b', '', '1.1')).toContain('dn:');
  for (const which of ['expired', 'other'] as const) {
    slapd.useCertificate(which);
    await slapd.kill();
    await slapd.start();
    expect(await bindAs('ada', slapd.tlsUrl)).toContain("Can't contact");
  }
  slapd.useCertificate('valid');
  await slapd.kill();
  await slapd.start();
});

test('a paused slapd does not answer; a change survives a kill; connections are counted', async () => {
  await slapd.pause();
  const answer = bindAs('ada');
  expect(await isSilent(answer)).toBe(true);
  slapd.resume();
  expect(await answer).toContain('dn:');
  await slapd.modify(`dn: ${slapd.user('ada').dn}\nchangetype: modify\nreplace: title\ntitle: Countess`);
  await slapd.kill();
  await slapd.start();
  expect(await search(slapd.url, slapd.reader, '-b', slapd.peopleDn, '(uid=ada)')).toContain('title: Countess');
  const before = await slapd.statistics();
  await bindAs('ada');
  const after = await slapd.statistics();
  expect(after.connections - before.connections).toBeGreaterThan(0);
  expect(after.binds - before.binds).toBeGreaterThan(1);
});
