import type { X509Certificate } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { subjectMatches } from './certificate-subject.ts';

/** As Node writes a subject: a line for each component, the first of the certificate first. */
const matches = (subject: string, expected: string): boolean =>
  subjectMatches('tls_client_auth_subject_dn', expected, { subject } as X509Certificate);

const { raw } = String;

describe('the subject of a certificate and tls_client_auth_subject_dn (RFC 8705, section 2.1.2)', () => {
  test.each([
    ['O=Bank\\, Ltd\nCN=bank.test', raw`CN=bank.test,O=Bank\, Ltd`],
    ['O=Bank\\, Ltd\nCN=bank.test', raw`CN=bank.test, O=Bank\2C Ltd`],
    ['CN=Bjørn', raw`CN=Bj\C3\B8rn`],
    ['CN=a\\ ', raw`CN=a\ `],
    ['CN=a\\ ', raw`CN=a\20`],
    [raw`CN=\\41dmin`, raw`CN=\\41dmin`],
    ['O=x\nCN=a + OU=b', 'CN=a+OU=b,O=x'],
    ['O=x\nCN=a + OU=b', 'OU=b + CN=a, O=x'],
    [raw`CN=a \+ OU=b`, raw`CN=a \+ OU=b`],
    [raw`CN=\#0401`, raw`CN=\#0401`],
    ['1.2.3.4=#0C0141', '1.2.3.4=#0c0141'],
  ])('%s is %s', (subject, expected) => {
    expect(matches(subject, expected)).toBe(true);
  });

  test.each([
    ['the text of an escape', raw`CN=\\41dmin`, 'CN=Admin'],
    ['the text of two escapes', raw`CN=\\5C41`, raw`CN=\41`],
    ['a plus in a value', raw`CN=a \+ OU=b`, 'CN=a+OU=b'],
    ['two attributes of one component', 'CN=a + OU=b', raw`CN=a \+ OU=b`],
    ['a line break in a value', raw`CN=a\0AO=b`, 'O=b,CN=a'],
    ['a blank at the end', 'CN=a\\ ', raw`CN=a\\`],
    ['a text that looks like bytes', raw`CN=\#0401`, 'CN=#0401'],
    ['one component more', 'O=x\nCN=a', 'CN=a'],
    ['the other order', 'O=x\nCN=a', 'O=x,CN=a'],
    ['nothing', '', ''],
  ])('%s is no other name', (_what, subject, expected) => {
    expect(matches(subject, expected)).toBe(false);
  });
});
