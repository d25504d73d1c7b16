import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { certificates } from './certificates.ts';
import { openSaml, signedAnswer } from './open-saml.ts';
import { type AnswerParts, answerTo, assertionOf, formOf, responseOf, sign, strong, success } from './saml-provider.ts';

const failed = (reason: string) => ({ outcome: 'failed', reason });

/** The result of an answer that a test makes of the honest parts. */
const resultOf = async (
  make: (parts: AnswerParts) => string,
  members: Parameters<typeof openSaml>[0] = {},
): Promise<unknown> => {
  const { begin, verify } = await openSaml(members);
  return verify(formOf(make(answerTo(await begin()))));
};

/** The forged assertion of an attacker who has a signed one of their own. */
const forgedOf = (parts: AnswerParts, id: string): string =>
  assertionOf({ ...parts, nameId: 'victim', assertionId: id });

const signedAssertion = (parts: AnswerParts): string => sign(assertionOf(parts), 'Assertion', certificates.provider);

const signatureIn = (xml: string): string => /<Signature .*<\/Signature>/s.exec(xml)?.[0] ?? '';

const insertInto = (xml: string, after: string, content: string): string => xml.replace(after, `${after}${content}`);

describe('signature wrapping', () => {
  it.each<readonly [string, (parts: AnswerParts) => string]>([
    [
      'a forged assertion before the signed one',
      (parts) => responseOf(parts, forgedOf(parts, '_forged') + signedAssertion(parts)),
    ],
    [
      'a forged assertion after the signed one',
      (parts) => responseOf(parts, signedAssertion(parts) + forgedOf(parts, '_forged')),
    ],
    [
      'a forged assertion with the id of the signed one',
      (parts) => responseOf(parts, forgedOf(parts, parts.assertionId) + signedAssertion(parts)),
    ],
    [
      'the signed assertion in a forged one',
      (parts) =>
        responseOf(
          parts,
          forgedOf(parts, '_forged').replace('</saml:Assertion>', `${signedAssertion(parts)}</saml:Assertion>`),
        ),
    ],
    [
      'a forged assertion with the signature of the signed one, which is in its Object',
      (parts) => {
        const signed = signedAssertion(parts);
        const original = signed.replace(signatureIn(signed), '');
        const signature = signatureIn(signed).replace('</Signature>', `<Object>${original}</Object></Signature>`);
        return responseOf(parts, insertInto(forgedOf(parts, '_forged'), '</saml:Issuer>', signature));
      },
    ],
    [
      'a forged assertion with the signature of the signed one, which is in an extension of the answer',
      (parts) => {
        const signed = signedAssertion(parts);
        const forged = insertInto(forgedOf(parts, '_forged'), '</saml:Issuer>', signatureIn(signed));
        const original = signed.replace(signatureIn(signed), '');
        const answer = responseOf(parts, forged);
        return insertInto(answer, '</saml:Issuer>', `<samlp:Extensions>${original}</samlp:Extensions>`);
      },
    ],
    [
      'the signed answer in a forged one',
      (parts) => {
        const signed = sign(responseOf(parts, assertionOf(parts)), 'Response', certificates.provider);
        const forged = responseOf(parts, forgedOf(parts, '_forged')).replace('ID="_response"', 'ID="_other"');
        return forged.replace('</samlp:Response>', `${signed}</samlp:Response>`);
      },
    ],
    [
      'an assertion of another namespace beside the signed one',
      (parts) => responseOf(parts, `${signedAssertion(parts)}<x:Assertion xmlns:x="urn:x" ID="_x"/>`),
    ],
    [
      'a second reference in the signature',
      (parts) => {
        const answer = responseOf(parts, signedAssertion(parts));
        const reference = /<Reference .*<\/Reference>/s.exec(answer)?.[0] ?? '';
        return answer.replace(reference, reference + reference);
      },
    ],
    [
      'an element with the id of the signed assertion, spelt as another attribute',
      (parts) => responseOf(parts, signedAssertion(parts), `${success}<x Id="${parts.assertionId}"/>`),
    ],
    [
      'a second signature in the assertion',
      (parts) => {
        const signed = signedAssertion(parts);
        return responseOf(parts, signed.replace(signatureIn(signed), signatureIn(signed).repeat(2)));
      },
    ],
    [
      'an Object in the signature',
      (parts) => responseOf(parts, signedAssertion(parts).replace('</Signature>', '<Object/></Signature>')),
    ],
    [
      'a second SignedInfo without a reference',
      (parts) => responseOf(parts, signedAssertion(parts).replace('<SignedInfo>', '<SignedInfo/><SignedInfo>')),
    ],
    [
      'an answer of another kind around the signed assertion',
      (parts) => responseOf(parts, signedAssertion(parts)).replaceAll('samlp:Response', 'samlp:LogoutResponse'),
    ],
    [
      'a second SignedInfo',
      (parts) => {
        const answer = responseOf(parts, signedAssertion(parts));
        const info = /<SignedInfo>.*<\/SignedInfo>/s.exec(answer)?.[0] ?? '';
        return answer.replace(info, info + info);
      },
    ],
  ])('signature wrapping is refused: %s', async (_title, make) => {
    for (const signed of ['assertion', 'response'] as const)
      expect(await resultOf(make, { signed })).toEqual(failed('unexpected_structure'));
  });
});

describe('a signature', () => {
  it.each<readonly [string, 'assertion' | 'response' | 'both', (parts: AnswerParts) => string, string | undefined]>([
    ['assertion', 'assertion', (parts) => signedAnswer(parts), undefined],
    ['no part', 'assertion', (parts) => responseOf(parts, assertionOf(parts)), 'invalid_signature'],
    [
      'answer',
      'assertion',
      (parts) => sign(responseOf(parts, assertionOf(parts)), 'Response', certificates.provider),
      'invalid_signature',
    ],
    [
      'answer',
      'response',
      (parts) => sign(responseOf(parts, assertionOf(parts)), 'Response', certificates.provider),
      undefined,
    ],
    ['assertion', 'response', (parts) => signedAnswer(parts), 'invalid_signature'],
    ['assertion', 'both', (parts) => signedAnswer(parts), 'invalid_signature'],
    [
      'answer and assertion',
      'both',
      (parts) => sign(signedAnswer(parts), 'Response', certificates.provider),
      undefined,
    ],
  ])('of the %s is accepted or refused by the setting %s', async (_title, signed, make, reason) => {
    const result = await resultOf(make, { signed });
    expect(result).toMatchObject(reason === undefined ? { outcome: 'verified' } : failed(reason));
  });

  it('of another key is refused, with the same name in its certificate', async () => {
    expect(await resultOf((parts) => signedAnswer(parts, certificates.attacker))).toEqual(failed('invalid_signature'));
  });

  it('a signature is void if anything in the assertion has changed', async () => {
    for (const [from, to] of [
      ['ada-7f3a', 'ada-7f3b'],
      ['>staff<', '>owner<'],
      ['PasswordProtectedTransport', 'Password'],
    ] as const)
      expect(await resultOf((parts) => signedAnswer(parts).replace(from, to))).toEqual(failed('invalid_signature'));
  });

  it.each([
    ['SHA-1', { signature: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' }],
    ['a digest by SHA-1', { digest: 'http://www.w3.org/2000/09/xmldsig#sha1' }],
  ])('by %s is refused, although its key is the right one', async (_title, members) => {
    const make = (parts: AnswerParts): string =>
      responseOf(parts, sign(assertionOf(parts), 'Assertion', certificates.provider, { ...strong, ...members }));
    expect(await resultOf(make)).toEqual(failed('refused_algorithm'));
  });

  it('by HMAC with the public certificate as its secret is refused', async () => {
    const hmac = 'http://www.w3.org/2000/09/xmldsig#hmac-sha1';
    expect(await resultOf((parts) => signedAnswer(parts).replace(strong.signature, hmac))).toEqual(
      failed('refused_algorithm'),
    );
  });
});

describe('before it is parsed, an answer is refused', () => {
  it.each<readonly [string, string, (xml: string) => string]>([
    [
      'with an external entity',
      'forbidden_markup',
      (xml) => `<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>${xml.replace('ada-7f3a', '&x;')}`,
    ],
    [
      'with a document type after the XML declaration',
      'forbidden_markup',
      (xml) => `<?xml version="1.0"?>\n<!DOCTYPE samlp:Response SYSTEM "http://127.0.0.1/x.dtd">${xml}`,
    ],
    [
      'with entities that expand (billion laughs)',
      'forbidden_markup',
      (xml) => `<!DOCTYPE r [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]>${xml.replace('ada-7f3a', '&b;')}`,
    ],
    ['with a comment in the NameID', 'forbidden_markup', (xml) => xml.replace('ada-7f3a', 'ada<!-- -->-7f3a')],
    ['with CDATA in the NameID', 'forbidden_markup', (xml) => xml.replace('ada-7f3a', '<![CDATA[victim]]>')],
    ['with a processing instruction', 'forbidden_markup', (xml) => xml.replace('ada-7f3a', 'ada<?x?>-7f3a')],
  ])('%s', async (_title, reason, change) => {
    expect(await resultOf((parts) => change(signedAnswer(parts)))).toEqual(failed(reason));
  });

  it('of more than 60,000 characters', async () => {
    const groups = Array.from({ length: 2_000 }, (_, index) => `group-${index}`);
    const make = (parts: AnswerParts) => signedAnswer({ ...parts, attributes: { groups } });
    expect(await resultOf(make)).toEqual(failed('too_large'));
  });

  it('that is deflated: nothing is inflated, so that no bomb can grow', async () => {
    const { begin, verify } = await openSaml();
    await begin();
    const bomb = deflateRawSync(Buffer.alloc(20_000_000, 'a')).toString('base64');
    const result = await verify(new URLSearchParams({ SAMLResponse: bomb, RelayState: 'state' }));
    expect(result).toMatchObject({ outcome: 'failed' });
  });

  it('with elements in elements, many times', async () => {
    const nested = '<x>'.repeat(5_000) + '</x>'.repeat(5_000);
    expect(await resultOf((parts) => responseOf(parts, nested))).toEqual(failed('unexpected_structure'));
  });

  it.each([
    ['two answers', (form: URLSearchParams) => form.append('SAMLResponse', 'eA=='), 'no_answer'],
    ['no answer', (form: URLSearchParams) => form.delete('SAMLResponse'), 'no_answer'],
    ['no base64', (form: URLSearchParams) => form.set('SAMLResponse', '<Response/>'), 'invalid_base64'],
    ['no root', (form: URLSearchParams) => form.set('SAMLResponse', 'eA=='), 'malformed_xml'],
  ])('whose form has %s', async (_title, change, reason) => {
    const { begin, verify } = await openSaml();
    const form = formOf(signedAnswer(answerTo(await begin())));
    change(form);
    expect(await verify(form)).toEqual(failed(reason));
  });
});

describe('a signed assertion is refused', () => {
  const minute = 60_000;
  it.each<readonly [string, Partial<AnswerParts>, string]>([
    ['for another service', { audience: 'https://other.example/metadata' }, 'wrong_audience'],
    ['for another callback', { recipient: 'https://other.example/acs' }, 'wrong_recipient'],
    ['in an answer to another callback', { destination: 'https://other.example/acs' }, 'wrong_destination'],
    ['of another provider', { issuer: 'https://other.example/idp' }, 'wrong_issuer'],
    ['for another request', { requestId: '_other', confirmedRequestId: '_other' }, 'other_flow'],
    ['for another request, in an answer to ours', { confirmedRequestId: '_other' }, 'other_flow'],
    ['that has expired', { notOnOrAfter: Date.now() - 2 * minute }, 'wrong_time'],
    ['that is not yet valid', { now: Date.now() + 3 * minute, notOnOrAfter: Date.now() + 9 * minute }, 'wrong_time'],
    ['of a sign-in in the future', { authenticatedAt: Date.now() + 3 * minute }, 'too_old'],
    ['with a subject that a database would cut', { nameId: 'a'.repeat(256) }, 'no_subject'],
  ])('%s', async (_title, parts, reason) => {
    const { by } = await openSaml();
    expect(await by(parts)).toEqual(failed(reason));
  });

  it('in an answer of another provider, and one of another provider in an answer of ours', async () => {
    const other = 'https://other.example/idp';
    const around = (parts: AnswerParts) => responseOf({ ...parts, issuer: other }, signedAssertion(parts));
    const within = (parts: AnswerParts) => responseOf(parts, signedAssertion({ ...parts, issuer: other }));
    for (const make of [around, within]) expect(await resultOf(make)).toEqual(failed('wrong_issuer'));
  });

  it('whose confirmation for us has expired, although one for another service is valid', async () => {
    const expired = new Date(Date.now() - 2 * minute).toISOString();
    const make = (parts: AnswerParts): string => {
      const assertion = assertionOf(parts);
      const valid = /<saml:SubjectConfirmation .*<\/saml:SubjectConfirmation>/.exec(assertion)?.[0] ?? '';
      const ours = valid.replace(/NotOnOrAfter="[^"]*"/, `NotOnOrAfter="${expired}"`);
      const other = valid.replace(parts.recipient, 'https://other.example/acs');
      return responseOf(parts, sign(assertion.replace(valid, ours + other), 'Assertion', certificates.provider));
    };
    expect(await resultOf(make)).toEqual(failed('wrong_time'));
  });

  it('without the request that it confirms, although the answer around it names ours', async () => {
    const make = (parts: AnswerParts): string => {
      const assertion = assertionOf(parts).replace(` InResponseTo="${parts.requestId}"`, '');
      return responseOf(parts, sign(assertion, 'Assertion', certificates.provider));
    };
    expect(await resultOf(make)).toEqual(failed('wrong_recipient'));
  });

  it('without a request (IdP-initiated)', async () => {
    const make = (parts: AnswerParts): string => signedAnswer(parts).replace(/ InResponseTo="[^"]*" /, ' ');
    expect(await resultOf((parts) => make(parts).replace(` InResponseTo="${parts.requestId}"`, ''))).toMatchObject({
      outcome: 'failed',
    });
  });

  it('in another browser: the request follows from the secret of the one that began', async () => {
    const { begin, verify } = await openSaml();
    const form = formOf(signedAnswer(answerTo(await begin())));
    expect(await verify(form, { secret: 'the secret of another browser' })).toEqual(failed('other_flow'));
    expect(await verify(form)).toMatchObject({ outcome: 'verified' });
  });

  it('a second time, in another answer too', async () => {
    const { begin, verify } = await openSaml();
    const parts = answerTo(await begin());
    const assertion = signedAssertion(parts);
    expect(await verify(formOf(responseOf(parts, assertion)))).toMatchObject({ outcome: 'verified' });
    const again = responseOf(parts, assertion).replace('ID="_response"', 'ID="_again"');
    expect(await verify(formOf(again))).toEqual(failed('assertion_used'));
  });
});

describe('the time of the sign-in', () => {
  it('that is older than max_age is refused', async () => {
    const { begin, verify } = await openSaml();
    const authenticatedAt = Date.now() - 600_000;
    const form = formOf(signedAnswer(answerTo(await begin(), { authenticatedAt })));
    expect(await verify(form, { maxAge: 300 })).toEqual(failed('too_old'));
    expect(await verify(form, { maxAge: 3_600 })).toMatchObject({ outcome: 'verified' });
  });

  it('before the request is no new sign-in', async () => {
    const { begin, verify } = await openSaml();
    const authenticatedAt = Date.now() - 600_000;
    const form = formOf(signedAnswer(answerTo(await begin(), { authenticatedAt })));
    expect(await verify(form, { loginAfter: Date.now() })).toMatchObject({ user: { isFresh: false } });
  });
});

it.each([
  ['Responder', 'AuthnFailed', 'denied'],
  ['Responder', 'NoAuthnContext', 'denied'],
  ['Requester', 'RequestDenied', 'denied'],
  ['Requester', 'InvalidNameIDPolicy', 'failed'],
])('the status %s, %s is a sign-in that was %s', async (first, second, outcome) => {
  const status = 'urn:oasis:names:tc:SAML:2.0:status:';
  const codes = `<samlp:StatusCode Value="${status}${first}"><samlp:StatusCode Value="${status}${second}"/></samlp:StatusCode>`;
  expect(await resultOf((parts) => responseOf(parts, '', codes))).toEqual({ outcome, reason: second });
});
