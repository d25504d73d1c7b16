import { createPublicKey, hash, type JsonWebKeyInput, verify } from 'node:crypto';
import { recordId } from '../../src/storage/record-id.ts';
import { testKeys } from '../harness.ts';

/** Puts names in the place of what is random in a text. */
export type Mask = (text: string) => string;

const opaque = /carnet_(at|rt|dc|ar)_(?:([\w-]{22})\.)?[\w-]{43}(?![\w.-])/g;
const jwt = /\beyJ[\w-]+\.eyJ[\w-]+\.[\w-]+/g;

const publicKeys = new Map(
  testKeys.keys.map((key) => [key.kid, createPublicKey({ key: key as JsonWebKeyInput['key'], format: 'jwk' })]),
);

const isSigned = (token: string, { alg, kid }: { readonly alg: string; readonly kid: string }): boolean => {
  const key = publicKeys.get(kid);
  const at = token.lastIndexOf('.');
  const signature = Buffer.from(token.slice(at + 1), 'base64url');
  const input = Buffer.from(token.slice(0, at));
  if (key === undefined) return false;
  return verify(alg === 'EdDSA' ? null : 'sha256', input, { key, dsaEncoding: 'ieee-p1363' }, signature);
};

const partOf = (token: string, index: number): string =>
  Buffer.from(token.split('.')[index] ?? '', 'base64url').toString();

/** The left half of a hash, of an access token (OpenID Connect Core, section 3.1.3.6). */
const halvesOf = (value: string): readonly string[] =>
  ['sha256', 'sha512'].map((algorithm) => {
    const whole = hash(algorithm, value, 'buffer');
    return whole.subarray(0, whole.length / 2).toString('base64url');
  });

/** A token stands there as what it says, and whether its signature is good. */
const opened = (token: string): string => {
  const header = JSON.parse(partOf(token, 0)) as { readonly alg: string; readonly kid: string };
  const claims = partOf(token, 1)
    .replace(/"jti":"([^".]*)\.[\w-]{22}/, '"jti":"$1.<random>')
    .replace(/"jti":"[\da-f]{8}-[\da-f-]{27}"/, '"jti":"<uuid>"');
  const text = `<${isSigned(token, header) ? 'signed' : 'NOT SIGNED'} ${partOf(token, 0)} ${claims}>`;
  // It may stand in JSON.
  return text.replaceAll('"', "'").replaceAll('\\', '/');
};

/**
 * What hides the random parts of an answer, in it and in what came of it. What is derived from a value is held against
 * that value: the id it is stored under, its hash in an ID token, its signature. So are tokens that were sent.
 */
export const maskOf = (answer: string, sent = ''): Mask => {
  const names = new Map<string, string>();
  for (const [value, kind, grant = ''] of sent.matchAll(opaque)) {
    const id = recordId(value);
    names.set(id, `<id of the ${kind} ${grant} that was sent>`);
    for (const use of [1, 2, 3]) names.set(recordId(`refresh-reuse:${id}:${use}`), `<id of its use ${use}>`);
  }
  for (const [value, kind, grant = ''] of answer.matchAll(opaque)) {
    names.set(recordId(value), `<id of ${kind} ${grant}>`);
    for (const half of halvesOf(value)) names.set(half, `<hash of ${kind}>`);
  }
  for (const [value] of answer.matchAll(jwt)) for (const half of halvesOf(value)) names.set(half, '<hash of a JWT>');
  const nameAll = (text: string): string => {
    let named = text;
    for (const [value, name] of names) named = named.replaceAll(value, name);
    return named;
  };
  return (text) =>
    nameAll(text.replace(jwt, opened)).replace(opaque, (_value, kind, grant = '') => `<${kind} ${grant}>`);
};
