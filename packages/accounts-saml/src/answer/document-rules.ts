import { SamlError } from '../saml-error.ts';
import { allIn, childrenOf, type XmlElement } from '../xml/parse-xml.ts';

const dsig = 'http://www.w3.org/2000/09/xmldsig#';
const more = 'http://www.w3.org/2001/04/xmldsig-more#';
const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#';

const namespaces = {
  Response: 'urn:oasis:names:tc:SAML:2.0:protocol',
  Assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
} as const;

/** The algorithms of each element, by the name of its parent. SHA-1, CBC and RSA 1.5 are missing. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  'SignedInfo/SignatureMethod': [`${more}rsa-sha256`, `${more}rsa-sha384`, `${more}rsa-sha512`],
  'SignedInfo/CanonicalizationMethod': [exclusive],
  'Transforms/Transform': [`${dsig}enveloped-signature`, exclusive],
  'Reference/DigestMethod': ['http://www.w3.org/2001/04/xmlenc#sha256', 'http://www.w3.org/2001/04/xmlenc#sha512'],
  'EncryptedData/EncryptionMethod': [
    'http://www.w3.org/2009/xmlenc11#aes128-gcm',
    'http://www.w3.org/2009/xmlenc11#aes256-gcm',
  ],
  'EncryptedKey/EncryptionMethod': ['http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p'],
  // The hash of OAEP need not be free of collisions. xml-encryption knows no other one for `rsa-oaep-mgf1p`.
  'EncryptionMethod/DigestMethod': [`${dsig}sha1`],
};

const algorithmNames: ReadonlySet<string> = new Set(Object.keys(allowed).map((path) => path.split('/')[1] ?? ''));
const deepest = 40;

const parentOf = ({ parentNode }: XmlElement): XmlElement | undefined => (parentNode as XmlElement | null) ?? undefined;

const depthOf = (element: XmlElement): number => {
  let depth = 0;
  for (let each = parentOf(element); each !== undefined && depth <= deepest; each = parentOf(each)) depth += 1;
  return depth;
};

const refuseUnless = (isRight: boolean, reason: 'unexpected_structure' | 'refused_algorithm'): void => {
  if (!isRight) throw new SamlError(reason);
};

const assertAlgorithms = (elements: readonly XmlElement[]): void => {
  for (const element of elements.filter(({ localName }) => algorithmNames.has(localName))) {
    const path = `${parentOf(element)?.localName}/${element.localName}`;
    refuseUnless(allowed[path]?.includes(element.getAttribute('Algorithm') ?? '') ?? false, 'refused_algorithm');
  }
};

const isUnique = (values: readonly unknown[]): boolean => new Set(values).size === values.length;

/** Each signature is the child of what it signs, the answer or its assertion, and refers to it alone. */
const assertSignatures = (elements: readonly XmlElement[], mayBeSigned: readonly (XmlElement | undefined)[]): void => {
  const signatures = elements.filter(({ localName }) => localName === 'Signature');
  const signed = signatures.map(parentOf);
  refuseUnless(isUnique(signed) && signed.every((each) => mayBeSigned.includes(each)), 'unexpected_structure');
  for (const signature of signatures) {
    const references = allIn(signature).filter(({ localName }) => localName === 'Reference');
    const uri = `#${parentOf(signature)?.getAttribute('ID')}`;
    refuseUnless(references.length === 1 && references[0]?.getAttribute('URI') === uri, 'unexpected_structure');
    const parts = ['SignedInfo', 'SignatureValue'].every((name) => childrenOf(signature, name).length === 1);
    refuseUnless(parts, 'unexpected_structure');
  }
};

/**
 * Asserts that a document has the only structure in which providers send it, before its signature is verified.
 *
 * Safe against signature wrapping because there is one assertion, at one place, whose signature is its own child and refers to
 * it, and because no id occurs twice: there is no second element that could be read instead of the signed one.
 */
export const assertStructure = (root: XmlElement, name: keyof typeof namespaces): void => {
  const elements = allIn(root);
  refuseUnless(root.localName === name && root.namespaceURI === namespaces[name], 'unexpected_structure');
  refuseUnless(
    elements.every((element) => depthOf(element) <= deepest),
    'unexpected_structure',
  );
  const ids = elements.flatMap(({ attributes }) =>
    Array.from(attributes).filter(({ localName, name: full }) => (localName ?? full).toLowerCase() === 'id'),
  );
  refuseUnless(isUnique(ids.map(({ value }) => value)), 'unexpected_structure');
  const assertions = elements.filter(({ localName }) => /^(?:Encrypted)?Assertion$/.test(localName));
  const [assertion, ...others] = assertions;
  const isInPlace = assertion === undefined || assertion === root || parentOf(assertion) === root;
  refuseUnless(others.length === 0 && isInPlace, 'unexpected_structure');
  const hidden = elements.some(
    ({ localName }) => /^(?:Object|Manifest|RetrievalMethod|Response)$/.test(localName) && localName !== name,
  );
  refuseUnless(
    !hidden && (assertion === undefined || assertion.namespaceURI === namespaces.Assertion),
    'unexpected_structure',
  );
  assertSignatures(elements, [root, assertion]);
  assertAlgorithms(elements);
};
