import { promisify } from 'node:util';
import { decrypt } from 'xml-encryption';
import { SamlError } from '../saml-error.ts';
import { childrenOf, parseAnswerXml, type XmlElement } from '../xml/parse-xml.ts';
import { assertStructure } from './document-rules.ts';

const decryptXml = promisify(decrypt);

/**
 * Asserts the structure of an encrypted assertion. Anyone can encrypt with the key in our metadata, so that the content is as
 * little trusted as the answer itself. node-saml decrypts it again: the signature may cover the encrypted element.
 */
export const assertDecrypted = async (response: XmlElement, key: string | undefined): Promise<void> => {
  const [encrypted] = childrenOf(response, 'EncryptedAssertion');
  if (encrypted === undefined) return;
  if (key === undefined) throw new SamlError('no_decryption_key');
  let xml: string;
  try {
    xml = await decryptXml(encrypted.toString(), { key, disallowDecryptionWithInsecureAlgorithm: true });
  } catch {
    // Without the cause and with one reason: the answer must not tell which step has failed (padding oracles).
    throw new SamlError('not_decrypted');
  }
  assertStructure(parseAnswerXml(xml), 'Assertion');
};
