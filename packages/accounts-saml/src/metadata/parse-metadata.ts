import { X509Certificate } from 'node:crypto';
import { SamlError } from '../saml-error.ts';
import { allIn, childrenOf, parseMetadataXml, type XmlElement } from '../xml/parse-xml.ts';

/** The part of a provider's metadata that Carnet uses. */
export interface ProviderMetadata {
  readonly entityId: string;
  /** The single sign-on service of the binding HTTP-Redirect. */
  readonly redirectUrl: string | undefined;
  /** The certificates in PEM with which it signs. More than one while they change. */
  readonly certificates: readonly string[];
  /** When the metadata must no longer be used, in milliseconds since 1970. */
  readonly validUntil: number | undefined;
}

const protocol = 'urn:oasis:names:tc:SAML:2.0:protocol';
const redirect = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';

/** @throws SamlError `invalid_metadata` */
export const pemOf = (text: string): string => {
  try {
    const base64 = text.replaceAll(/-----[A-Z ]+-----|\s/g, '');
    return new X509Certificate(Buffer.from(base64, 'base64')).toString();
  } catch {
    throw new SamlError('invalid_metadata');
  }
};

const validUntilOf = (...elements: readonly XmlElement[]): number | undefined => {
  const times = elements.flatMap((each) => each.getAttribute('validUntil') || []).map((text) => Date.parse(text));
  if (times.some(Number.isNaN)) throw new SamlError('invalid_metadata');
  return times.length > 0 ? Math.min(...times) : undefined;
};

const isUrl = (text: string): boolean => /^https?:$/.test(URL.parse(text)?.protocol ?? '');

const certificatesOf = (descriptor: XmlElement): readonly string[] =>
  childrenOf(descriptor, 'KeyDescriptor')
    .filter((each) => each.getAttribute('use') !== 'encryption')
    .flatMap((each) => allIn(each).filter(({ localName }) => localName === 'X509Certificate'))
    .map(({ textContent }) => pemOf(textContent ?? ''));

/**
 * Reads metadata (SAML Metadata, section 2.4.3). Their own signature is not verified: the file, or TLS to the host of the
 * configured URL, is the proof.
 *
 * @param entityId of the provider, if the configuration names it
 * @throws SamlError
 */
export const parseMetadata = (text: string, entityId: string | undefined): ProviderMetadata => {
  const root = parseMetadataXml(text);
  const found = allIn(root)
    .filter(({ localName }) => localName === 'EntityDescriptor')
    .filter((each) => entityId === undefined || each.getAttribute('entityID') === entityId)
    .flatMap((entity) =>
      childrenOf(entity, 'IDPSSODescriptor')
        .filter((each) => each.getAttribute('protocolSupportEnumeration')?.split(/\s+/).includes(protocol))
        .map((descriptor) => ({ entity, descriptor })),
    );
  const [only, ...others] = found;
  const foundId = only?.entity.getAttribute('entityID');
  if (only === undefined || others.length > 0 || !foundId) throw new SamlError('invalid_metadata');
  const { entity, descriptor } = only;
  const certificates = certificatesOf(descriptor);
  const redirectUrl = childrenOf(descriptor, 'SingleSignOnService')
    .find((each) => each.getAttribute('Binding') === redirect)
    ?.getAttribute('Location');
  if (certificates.length === 0 || (redirectUrl && !isUrl(redirectUrl))) throw new SamlError('invalid_metadata');
  return {
    entityId: foundId,
    redirectUrl: redirectUrl || undefined,
    certificates,
    validUntil: validUntilOf(root, entity, descriptor),
  };
};
