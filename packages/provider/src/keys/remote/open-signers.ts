import type { KeyWrapper, OpenKeyWrapper, OpenSigner, RemoteSigner } from '@carnet/signer-contract';
import { ConfigError } from '../../errors.ts';
import { loadPackage } from '../../storage/load-package.ts';
import { schemeOf } from '../../storage/schemes.ts';
import { signerPackages } from './schemes.ts';
import { startError } from './signer-errors.ts';

interface SignerModule {
  readonly openSigner: OpenSigner;
  /** Where the service encrypts. */
  readonly openKeyWrapper?: OpenKeyWrapper;
}

/** Names the signers of the application, which `createProvider` was passed, in the configuration. */
export const ownSigners = 'signer:';

const loadModule = async (url: string, key: string): Promise<SignerModule> => {
  const name = signerPackages[schemeOf(url)];
  if (name === undefined) {
    throw new ConfigError([
      `${key}: ${ownSigners} is only valid with \`signers\`, or \`keyWrapper\`, passed to createProvider. Set the URL of a key.`,
    ]);
  }
  const otherwise = 'pass createProvider a signer of your own in `signers`';
  return (await loadPackage(name, { key, otherwise })) as SignerModule;
};

const openUrl = async (url: string): Promise<RemoteSigner> => {
  const { openSigner } = await loadModule(url, 'keys.signer');
  try {
    return await openSigner({ url });
  } catch (error) {
    throw startError('keys.signer', error);
  }
};

export interface OpenedSigners {
  readonly signers: readonly RemoteSigner[];
  /** Closes the signers that were opened here, not those of the application. */
  close(): Promise<void>;
}

/**
 * Opens the signers of the configuration. `own`: those of the application.
 *
 * @throws ConfigError when a package, a module or a credential is missing
 */
export const openSigners = async (
  urls: readonly string[],
  own: readonly RemoteSigner[] = [],
): Promise<OpenedSigners> => {
  const opened: RemoteSigner[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(opened.map((signer) => signer.close()));
  };
  try {
    for (const url of urls) if (own.length === 0 || url !== ownSigners) opened.push(await openUrl(url));
  } catch (error) {
    await close();
    throw error;
  }
  return { signers: [...own, ...opened], close };
};

/** @throws ConfigError when a package, a module or a credential is missing, or the service cannot encrypt */
export const openWrapper = async (url: string): Promise<KeyWrapper> => {
  const { openKeyWrapper } = await loadModule(url, 'keys.sealedBy');
  if (openKeyWrapper === undefined) {
    throw new ConfigError([`keys.sealedBy: the service of ${schemeOf(url)}: does not encrypt. Choose another one.`]);
  }
  try {
    return await openKeyWrapper({ url });
  } catch (error) {
    throw startError('keys.sealedBy', error);
  }
};
