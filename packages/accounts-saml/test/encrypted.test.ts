import { expect, it } from 'vitest';
import { certificates } from './certificates.ts';
import { openSaml, signedAnswer } from './open-saml.ts';
import { type AnswerParts, answerTo, assertionOf, encryptFor, formOf, gcm, responseOf, sign } from './saml-provider.ts';

const { provider, carnet } = certificates;
const keys = { decryptionKey: carnet.key, decryptionCertificate: carnet.cert };
const failed = (reason: string) => ({ outcome: 'failed', reason });

const resultOf = async (
  make: (parts: AnswerParts) => string | Promise<string>,
  members: Parameters<typeof openSaml>[0] = keys,
) => {
  const { begin, verify } = await openSaml(members);
  return verify(formOf(await make(answerTo(await begin()))));
};

const signed = (parts: AnswerParts): string => sign(assertionOf(parts), 'Assertion', provider);

it('an encrypted assertion signs in a user', async () => {
  const make = async (parts: AnswerParts) => responseOf(parts, await encryptFor(carnet, signed(parts)));
  expect(await resultOf(make)).toMatchObject({ user: { subject: 'ada-7f3a', claims: { name: 'Ada Lovelace' } } });
});

it('an encrypted assertion in a signed answer signs in a user, if the setting is response', async () => {
  const make = async (parts: AnswerParts) =>
    sign(responseOf(parts, await encryptFor(carnet, assertionOf(parts))), 'Response', provider);
  expect(await resultOf(make, { ...keys, signed: 'response' })).toMatchObject({ outcome: 'verified' });
  expect(await resultOf(make)).toEqual(failed('invalid_signature'));
});

it('the encryption alone proves nothing: anyone has the certificate', async () => {
  const make = async (parts: AnswerParts) => responseOf(parts, await encryptFor(carnet, assertionOf(parts)));
  expect(await resultOf(make)).toEqual(failed('invalid_signature'));
});

it.each([
  ['CBC', { content: 'http://www.w3.org/2001/04/xmlenc#aes256-cbc' }],
  ['3DES', { content: 'http://www.w3.org/2001/04/xmlenc#tripledes-cbc' }],
  ['RSA 1.5', { key: 'http://www.w3.org/2001/04/xmlenc#rsa-1_5' }],
] as const)('%s, which padding oracles decrypt, is refused before anything is decrypted', async (_title, members) => {
  const make = async (parts: AnswerParts) =>
    responseOf(parts, await encryptFor(carnet, signed(parts), { ...gcm, ...members }));
  expect(await resultOf(make)).toEqual(failed('refused_algorithm'));
});

it('the content is checked as the answer is: comments and wrapped assertions are refused', async () => {
  const encrypted = (change: (xml: string) => string) => async (parts: AnswerParts) =>
    responseOf(parts, await encryptFor(carnet, change(signed(parts))));
  const comment = encrypted((xml) => xml.replace('ada-7f3a', 'ada<!---->-7f3a'));
  expect(await resultOf(comment)).toEqual(failed('forbidden_markup'));
  const entity = encrypted((xml) => `<!DOCTYPE x [<!ENTITY x "y">]>${xml}`);
  expect(await resultOf(entity)).toEqual(failed('forbidden_markup'));
  const forged = '<saml:Assertion ID="_forged"/></saml:Assertion>';
  const wrapped = encrypted((xml) => xml.replace('</saml:Assertion>', forged));
  expect(await resultOf(wrapped)).toEqual(failed('unexpected_structure'));
});

it('a changed text, and one for another key, are refused for one reason', async () => {
  const foreign = async (parts: AnswerParts) => responseOf(parts, await encryptFor(provider, signed(parts)));
  expect(await resultOf(foreign)).toEqual(failed('not_decrypted'));
  const changed = async (parts: AnswerParts) => {
    const xml = responseOf(parts, await encryptFor(carnet, signed(parts)));
    const at = xml.lastIndexOf('<e:CipherValue>') + 60;
    return `${xml.slice(0, at)}${xml[at] === 'A' ? 'B' : 'A'}${xml.slice(at + 1)}`;
  };
  expect(await resultOf(changed)).toEqual(failed('not_decrypted'));
});

it('without a key, an encrypted assertion is refused', async () => {
  const make = async (parts: AnswerParts) => responseOf(parts, await encryptFor(carnet, signed(parts)));
  expect(await resultOf(make, {})).toEqual(failed('no_decryption_key'));
});

it('with a key, an assertion that is not encrypted is accepted: its signature is the proof', async () => {
  expect(await resultOf((parts) => signedAnswer(parts))).toMatchObject({ outcome: 'verified' });
});
