import type { X509Certificate } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';

/** One attribute of a distinguished name: `CN=...`, its type in capitals. */
type Attribute = string;

/** One component of it, its attributes in alphabetical order: there may be several (`OU=Sales+CN=J. Smith`). */
type Component = readonly Attribute[];

/** RFC 4514, section 3: `\2C` and `\,` are a comma. In one pass, or `\\2C` would be one as well. */
const unescaped = (text: string): string =>
  text.replaceAll(/((?:\\[0-9a-fA-F]{2})+)|\\(.)/gs, (_all, bytes: string | undefined, character: string) =>
    bytes === undefined ? character : Buffer.from(bytes.replaceAll('\\', ''), 'hex').toString(),
  );

/** Without the blanks around it, but with those that are escaped. */
const trimmed = (text: string): string => /^ *((?:\\.|[^\\])*?) *$/s.exec(text)?.[1] ?? text;

/** Names that OpenSSL and RFC 4514 have for the same attribute. */
const aliases: ReadonlyMap<string, string> = new Map([
  ['EMAILADDRESS', 'EMAIL'],
  ['E', 'EMAIL'],
  ['1.2.840.113549.1.9.1', 'EMAIL'],
  ['S', 'ST'],
  ['SERIALNUMBER', '2.5.4.5'],
  ['0.9.2342.19200300.100.1.1', 'UID'],
]);

const attribute = (text: string): Attribute => {
  const at = text.indexOf('=');
  const name = text.slice(0, at).trim().toUpperCase();
  const type = aliases.get(name) ?? name;
  const value = trimmed(text.slice(at + 1));
  // The bytes of a value: not the same as a text that begins with `#`.
  return value.startsWith('#') ? `${type}#${value.slice(1).toLowerCase()}` : `${type}=${unescaped(value)}`;
};

const component = (text: string): Component => (text.match(/(?:\\.|[^+\\])+/gs) ?? []).map(attribute).toSorted();

/** `CN=...,O=...` as RFC 4514 writes it: the last component of the certificate comes first. */
const parseName = (text: string): readonly Component[] => (text.match(/(?:\\.|[^,\\])+/gs) ?? []).map(component);

const isSameName = (expected: string, { subject }: X509Certificate): boolean => {
  const actual = (subject ?? '').split('\n').map(component).toReversed();
  const wanted = parseName(expected);
  return wanted.length > 0 && isDeepStrictEqual(wanted, actual);
};

/** The entries of the alternative name, as Node writes them: a value with special characters is a JSON string. */
const alternativeNames = ({ subjectAltName = '' }: X509Certificate, type: string): readonly string[] =>
  [...subjectAltName.matchAll(/(?:^|, )([A-Za-z ]+):("(?:[^"\\]|\\.)*"|[^,]*)/g)]
    .filter(([, name]) => name === type)
    .map(([, , value = '']) => (value.startsWith('"') ? (JSON.parse(value) as string) : value));

/** Compares a client's `tls_client_auth_*` metadata with a certificate (RFC 8705, section 2.1.2): exactly, no wildcards. */
const comparisons: Readonly<Record<string, (expected: string, certificate: X509Certificate) => boolean>> = {
  tls_client_auth_subject_dn: isSameName,
  tls_client_auth_san_dns: (expected, certificate) =>
    alternativeNames(certificate, 'DNS').some((name) => name.toLowerCase() === expected.toLowerCase()),
  tls_client_auth_san_uri: (expected, certificate) => alternativeNames(certificate, 'URI').includes(expected),
  tls_client_auth_san_email: (expected, certificate) => alternativeNames(certificate, 'email').includes(expected),
  tls_client_auth_san_ip: (expected, certificate) => certificate.checkIP(expected) !== undefined,
};

export const subjectMatches = (property: string, expected: string, certificate: X509Certificate): boolean =>
  comparisons[property]?.(expected, certificate) ?? false;
