import { inflateRawSync } from 'node:zlib';
import type { Certified } from '@carnet/test-servers';
import { SignedXml } from 'xml-crypto';
import { type EncryptOptions, encrypt } from 'xml-encryption';

export const entityId = 'https://idp.example.com/metadata';
export const ssoUrl = 'https://idp.example.com/sso';

const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#';

export interface Algorithms {
  readonly signature: string;
  readonly digest: string;
}

export const strong: Algorithms = {
  signature: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  digest: 'http://www.w3.org/2001/04/xmlenc#sha256',
};

/** Signs the element with this name, as providers do: the signature follows the issuer. */
export const sign = (xml: string, name: 'Assertion' | 'Response', { key }: Certified, algorithms = strong): string => {
  const signer = new SignedXml({
    privateKey: key,
    signatureAlgorithm: algorithms.signature,
    canonicalizationAlgorithm: exclusive,
  });
  const path = name === 'Response' ? '/*' : "//*[local-name(.)='Assertion']";
  const transforms = ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', exclusive];
  signer.addReference({ xpath: path, digestAlgorithm: algorithms.digest, transforms });
  const location = { reference: `${path}/*[local-name(.)='Issuer']`, action: 'after' } as const;
  signer.computeSignature(xml, { location });
  return signer.getSignedXml();
};

/** The parts of an answer. Each has the value of an honest provider, unless a test changes it. */
export interface AnswerParts {
  readonly callback: string;
  readonly requestId: string;
  readonly audience: string;
  readonly issuer: string;
  readonly assertionId: string;
  readonly nameId: string;
  readonly nameIdFormat: string;
  readonly attributes: Readonly<Record<string, readonly string[]>>;
  readonly recipient: string;
  readonly destination: string;
  readonly confirmedRequestId: string;
  readonly context: string;
  /** In milliseconds since 1970. */
  readonly now: number;
  readonly notOnOrAfter: number;
  readonly authenticatedAt: number;
}

const iso = (time: number): string => new Date(time).toISOString();

export const assertionOf = (parts: AnswerParts): string => {
  const { issuer, nameId, nameIdFormat, recipient, confirmedRequestId, audience, attributes, now } = parts;
  const statement = Object.entries(attributes)
    .map(([name, values]) => {
      const content = values.map((value) => `<saml:AttributeValue>${value}</saml:AttributeValue>`).join('');
      return `<saml:Attribute Name="${name}">${content}</saml:Attribute>`;
    })
    .join('');
  const end = iso(parts.notOnOrAfter);
  return `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${parts.assertionId}" Version="2.0" IssueInstant="${iso(now)}"><saml:Issuer>${issuer}</saml:Issuer><saml:Subject><saml:NameID Format="${nameIdFormat}">${nameId}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData InResponseTo="${confirmedRequestId}" NotOnOrAfter="${end}" Recipient="${recipient}"/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="${iso(now - 1_000)}" NotOnOrAfter="${end}"><saml:AudienceRestriction><saml:Audience>${audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement AuthnInstant="${iso(parts.authenticatedAt)}" SessionIndex="s1"><saml:AuthnContext><saml:AuthnContextClassRef>${parts.context}</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>${statement === '' ? '' : `<saml:AttributeStatement>${statement}</saml:AttributeStatement>`}</saml:Assertion>`;
};

export const success = '<samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/>';

/** An answer around these elements. */
export const responseOf = ({ destination, requestId, issuer, now }: AnswerParts, content: string, status = success) =>
  `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_response" Version="2.0" IssueInstant="${iso(now)}" Destination="${destination}" InResponseTo="${requestId}"><saml:Issuer>${issuer}</saml:Issuer><samlp:Status>${status}</samlp:Status>${content}</samlp:Response>`;

/** The members of the request in a URL. */
export const requestIn = (url: string) => {
  const { searchParams } = new URL(url);
  const xml = inflateRawSync(Buffer.from(searchParams.get('SAMLRequest') ?? '', 'base64')).toString();
  const attribute = (name: string): string => new RegExp(` ${name}="([^"]*)"`).exec(xml)?.[1] ?? '';
  return { xml, attribute, relayState: searchParams.get('RelayState') ?? '', searchParams };
};

/** The parts of the honest answer to a request. */
export const answerTo = (url: string, members: Partial<AnswerParts> = {}): AnswerParts => {
  const { xml, attribute } = requestIn(url);
  const [callback, requestId, now] = [attribute('AssertionConsumerServiceURL'), attribute('ID'), Date.now()];
  return {
    callback,
    requestId,
    audience: /<saml:Issuer[^>]*>([^<]*)</.exec(xml)?.[1] ?? '',
    issuer: entityId,
    assertionId: `_assertion-${Math.random().toString(36).slice(2)}`,
    nameId: 'ada-7f3a',
    nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
    attributes: { mail: ['ada@corp.example'], displayName: ['Ada Lovelace'], groups: ['staff', 'admins'] },
    recipient: callback,
    destination: callback,
    confirmedRequestId: requestId,
    context: 'urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport',
    now,
    notOnOrAfter: now + 60_000,
    authenticatedAt: now,
    ...members,
  };
};

export interface Encryption {
  readonly content: EncryptOptions['encryptionAlgorithm'];
  readonly key: EncryptOptions['keyEncryptionAlgorithm'];
}

export const gcm: Encryption = {
  content: 'http://www.w3.org/2009/xmlenc11#aes256-gcm',
  key: 'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p',
};

/** The assertion as `EncryptedAssertion` for this certificate. */
export const encryptFor = ({ cert }: Certified, xml: string, algorithms = gcm): Promise<string> =>
  new Promise((resolve, reject) => {
    const options = {
      rsa_pub: cert,
      pem: cert,
      encryptionAlgorithm: algorithms.content,
      keyEncryptionAlgorithm: algorithms.key,
      disallowEncryptionWithInsecureAlgorithm: false,
      warnInsecureAlgorithm: false,
    };
    encrypt(xml, options, (error, encrypted) => {
      if (error) reject(error);
      else resolve(`<saml:EncryptedAssertion>${encrypted}</saml:EncryptedAssertion>`);
    });
  });

/** The fields of the form that the provider's page posts. */
export const formOf = (xml: string): URLSearchParams =>
  new URLSearchParams({ SAMLResponse: Buffer.from(xml).toString('base64'), RelayState: 'state' });

const pemBody = ({ cert }: Certified): string => cert.replaceAll(/-----[A-Z ]+-----|\s/g, '');

/** The metadata of the provider with these certificates. */
export const metadataOf = (signers: readonly Certified[], members: { readonly validUntil?: number } = {}): string => {
  const keys = signers.map(
    (each) =>
      `<md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>${pemBody(each)}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`,
  );
  const until = members.validUntil === undefined ? '' : ` validUntil="${iso(members.validUntil)}"`;
  return `<?xml version="1.0" encoding="UTF-8"?><!-- metadata --><md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${entityId}"${until}><md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">${keys.join('')}<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${ssoUrl}/post"/><md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${ssoUrl}"/></md:IDPSSODescriptor></md:EntityDescriptor>`;
};
