import { readFile } from 'node:fs/promises';
import type { SamlProviderOptions, UpstreamDependencies } from '@carnet/accounts';
import { createRenewed } from '@carnet/adapter-contract/kit';
import { SamlError } from '../saml-error.ts';
import { type ProviderMetadata, parseMetadata, pemOf } from './parse-metadata.ts';

export interface MetadataSource {
  /** @throws if the metadata cannot be read, and were never read, or are no longer valid */
  current(): Promise<ProviderMetadata>;
  /** Reads them again, unless they were read within the last ten seconds. @returns undefined if they are the same */
  renewed(): Promise<ProviderMetadata | undefined>;
}

/** After an hour the metadata are read again, while the present ones are used. */
const freshMs = 3_600_000;
/** After that, or after a failure, the provider is not asked again. */
const pauseMs = 10_000;

type Dependencies = Pick<UpstreamDependencies, 'send' | 'now'>;

const createRead = (options: SamlProviderOptions, send: UpstreamDependencies['send']) => {
  const { metadataUrl, metadataFile, issuer, ssoUrl, certificates } = options;
  return async (): Promise<ProviderMetadata> => {
    if (metadataFile !== undefined) return parseMetadata(await readFile(metadataFile, 'utf8'), issuer);
    if (metadataUrl === undefined)
      return {
        entityId: issuer ?? '',
        redirectUrl: ssoUrl,
        certificates: certificates.map(pemOf),
        validUntil: undefined,
      };
    const { status, body } = await send({ url: metadataUrl, method: 'GET', headers: { accept: '*/*' } });
    if (status !== 200) throw new SamlError('unreachable');
    return parseMetadata(body, issuer);
  };
};

/**
 * The metadata of a provider: read at the first sign-in, and again in the background. An outage of the provider does not
 * disturb the start of Carnet. Certificates that are missing in the renewed metadata are no longer accepted.
 */
export const createMetadataSource = (options: SamlProviderOptions, { send, now }: Dependencies): MetadataSource => {
  const readNew = createRead(options, send);
  const isValid = ({ validUntil }: ProviderMetadata): boolean => validUntil === undefined || now() < validUntil;
  let readAt = Number.NEGATIVE_INFINITY;
  const read = async (): Promise<ProviderMetadata> => {
    readAt = now();
    const found = await readNew();
    if (!isValid(found)) throw new SamlError('metadata_expired');
    return found;
  };
  const { current, renew, latest } = createRenewed({ read, isValid, freshMs, pauseMs, now });
  return {
    current,
    renewed: async () => {
      if (now() < readAt + pauseMs) return undefined;
      const before = latest()?.certificates.join();
      const found = await renew();
      return found.certificates.join() === before ? undefined : found;
    },
  };
};
