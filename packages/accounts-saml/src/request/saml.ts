import { createHash } from 'node:crypto';
import type { SamlProviderOptions, UpstreamRequest } from '@carnet/accounts';
import { SAML, type SamlConfig, ValidateInResponseTo } from '@node-saml/node-saml';
import type { ProviderMetadata } from '../metadata/parse-metadata.ts';

const persistent = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';

/** The formats of a NameID, by their names in the configuration. */
export const nameIdFormats = {
  persistent,
  emailAddress: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  unspecified: undefined,
} as const;

/** The clock of the provider may differ by this. */
export const skewMs = 60_000;
/** The longest time between the request and its answer: that of our state. */
const longestMs = 600_000;

type Flow = Pick<UpstreamRequest, 'callback' | 'secret'>;

/** The entity ID of Carnet: by default the URL of its metadata. */
export const entityIdOf = ({ entityId }: SamlProviderOptions, callback: string): string =>
  entityId ?? `${callback}/metadata`;

/**
 * The ID of the request. Safe against the answer to another request, and against one without a request, because it follows
 * from the secret that only the browser has, which began: the assertion must have it as `InResponseTo`.
 */
export const requestIdOf = (secret: string): string =>
  `_${createHash('sha256').update(`carnet saml request ${secret}`).digest('hex')}`;

const signatures = {
  assertion: { wantAssertionsSigned: true, wantAuthnResponseSigned: false },
  response: { wantAssertionsSigned: false, wantAuthnResponseSigned: true },
  both: { wantAssertionsSigned: true, wantAuthnResponseSigned: true },
} as const;

/** The service provider of one flow. The defaults of node-saml are not safe: each member that matters is set. */
export const createSaml = (
  options: SamlProviderOptions,
  { entityId, certificates, redirectUrl }: ProviderMetadata,
  { callback, secret }: Flow,
  members: Partial<SamlConfig> = {},
): SAML => {
  const { privateKey, certificate, decryptionKey, signed, nameIdFormat } = options;
  const issuer = entityIdOf(options, callback);
  const id = requestIdOf(secret);
  return new SAML({
    callbackUrl: callback,
    issuer,
    audience: issuer,
    idpIssuer: entityId,
    idpCert: [...certificates],
    ...(redirectUrl !== undefined && { entryPoint: redirectUrl }),
    ...(privateKey !== undefined && { privateKey }),
    ...(certificate !== undefined && { publicCert: certificate }),
    ...(decryptionKey !== undefined && { decryptionPvk: decryptionKey }),
    ...signatures[signed],
    signatureAlgorithm: 'sha256',
    digestAlgorithm: 'sha256',
    identifierFormat: nameIdFormats[nameIdFormat] ?? null,
    disableRequestedAuthnContext: true,
    generateUniqueId: () => id,
    validateInResponseTo: ValidateInResponseTo.always,
    requestIdExpirationPeriodMs: longestMs,
    acceptedClockSkewMs: skewMs,
    maxAssertionAgeMs: longestMs,
    // No process remembers a request: the id of the flow is the only one that is valid.
    cacheProvider: {
      saveAsync: async () => null,
      getAsync: async (key) => (key === id ? new Date().toISOString() : null),
      removeAsync: async () => null,
    },
    ...members,
  });
};
