import type { SamlProviderOptions } from '@carnet/accounts';
import { generateServiceProviderMetadata } from '@node-saml/node-saml';
import { entityIdOf, nameIdFormats } from '../request/saml.ts';

/** The algorithms of the library that this package refuses must not be offered (CBC). */
const withoutWeak = (xml: string): string =>
  xml.replaceAll(/\s*<EncryptionMethod Algorithm="http:\/\/www\.w3\.org\/2001\/04\/xmlenc#[^"]*"\s*\/>/g, '');

/** The metadata of Carnet for one provider: entity ID, callback and certificates. */
export const ownMetadata = (options: SamlProviderOptions, callback: string): string => {
  const { privateKey, certificate, decryptionKey, decryptionCertificate, nameIdFormat, signed } = options;
  const entityId = entityIdOf(options, callback);
  return withoutWeak(
    generateServiceProviderMetadata({
      issuer: entityId,
      callbackUrl: callback,
      identifierFormat: nameIdFormats[nameIdFormat] ?? null,
      wantAssertionsSigned: signed !== 'response',
      // An id that changes would look like other metadata.
      generateUniqueId: () => '_metadata',
      ...(privateKey !== undefined && { privateKey, publicCerts: certificate ?? null }),
      ...(decryptionKey !== undefined && {
        decryptionPvk: decryptionKey,
        decryptionCert: decryptionCertificate ?? null,
      }),
    }),
  );
};
