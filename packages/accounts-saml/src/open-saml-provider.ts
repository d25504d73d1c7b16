import { createPrivateKey } from 'node:crypto';
import type { SamlProviderOptions, UpstreamDependencies, UpstreamProvider } from '@carnet/accounts';
import { verifyAnswer } from './answer/verify-answer.ts';
import { createMetadataSource } from './metadata/metadata-source.ts';
import { ownMetadata } from './metadata/own-metadata.ts';
import { pemOf } from './metadata/parse-metadata.ts';
import { buildRequest } from './request/build-request.ts';
import { reasonOf } from './saml-error.ts';

const assertRsaKey = (name: string, pem: string | undefined): void => {
  const type = () => {
    try {
      return pem === undefined ? 'rsa' : createPrivateKey(pem).asymmetricKeyType;
    } catch {
      // Without the cause: it may repeat parts of the key.
      return undefined;
    }
  };
  if (type() !== 'rsa') throw new TypeError(`${name} must be a private RSA key in PEM (PKCS #8).`);
};

const assertCertificate = (name: string, pem: string): void => {
  try {
    pemOf(pem);
  } catch {
    throw new TypeError(`${name} must be a certificate in PEM.`);
  }
};

/**
 * Opens a SAML 2.0 provider. It sends no request before the first sign-in.
 *
 * @throws TypeError if a key or a certificate cannot be used
 */
export const openSamlProvider = async (
  options: SamlProviderOptions,
  { send, claim, now }: UpstreamDependencies,
): Promise<UpstreamProvider> => {
  assertRsaKey('privateKey', options.privateKey);
  assertRsaKey('decryptionKey', options.decryptionKey);
  for (const each of options.certificates) assertCertificate('certificates', each);
  for (const name of ['certificate', 'decryptionCertificate'] as const)
    if (options[name] !== undefined) assertCertificate(name, options[name]);
  const source = createMetadataSource(options, { send, now });
  return {
    stateParameter: 'RelayState',
    authorizationUrl: async (request) => {
      try {
        return await buildRequest(options, await source.current(), request);
      } catch (error) {
        // Without the cause: errors of the library hold parts of documents.
        throw new Error(reasonOf(error));
      }
    },
    verify: async (answer) => {
      try {
        return await verifyAnswer({ options, source, claim, now }, answer);
      } catch (error) {
        return { outcome: 'failed', reason: reasonOf(error) };
      }
    },
    metadata: (callback) => ownMetadata(options, callback),
  };
};
