import type { KeyWrapper, OpenKeyWrapper, OpenSigner, RemoteSigner } from '@carnet/signer-contract';
import { ConfigError } from '../../errors.ts';
import { loadPackage } from '../../storage/load-package.ts';
import { schemeOf } from '../../storage/schemes.ts';
import { signerPackages } from '../config.ts';
import { startError } from './signer-errors.ts';

interface SignerModule {
  readonly openSigner: OpenSigner;
  /** Where the service encrypts. */
  readonly openKeyWrapper?: OpenKeyWrapper;
}

/** Names the signers of the application, which `createProvider` was passed, in the configuration. */
export const ownSigners = 'signer:';

/** Loads the package of a URL, and opens the URL with it. `key` is the setting that has the URL. */
const openUrl = async <T>(url: string, key: string, open: (module: SignerModule) => Promise<T>): Promise<T> => {
  const name = signerPackages[schemeOf(url)];
  if (name === undefined) {
    throw new ConfigError([
      `${key}: ${ownSigners} is only valid with \`signers\`, or \`keyWrapper\`, passed to createProvider. Set the URL of a key.`,
    ]);
  }
  const otherwise = 'pass createProvider a signer of your own in `signers`';
  const module = (await loadPackage(name, { key, otherwise })) as SignerModule;
  try {
    return await open(module);
  } catch (error) {
    throw startError(key, error);
  }
};

/**
 * Opens the signers of the configuration. `own`: those of the application, which `close` does not close.
 *
 * @throws ConfigError when a package, a module or a credential is missing
 */
export const openSigners = async (urls: readonly string[], own: readonly RemoteSigner[] = []) => {
  const opened: RemoteSigner[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(opened.map((signer) => signer.close()));
  };
  try {
    for (const url of urls) {
      if (own.length > 0 && url === ownSigners) continue;
      opened.push(await openUrl(url, 'keys.signer', ({ openSigner }) => openSigner({ url })));
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { signers: [...own, ...opened], close };
};

/** @throws ConfigError when a package, a module or a credential is missing, or the service cannot encrypt */
export const openWrapper = (url: string): Promise<KeyWrapper> =>
  openUrl(url, 'keys.sealedBy', ({ openKeyWrapper }) => {
    if (openKeyWrapper !== undefined) return openKeyWrapper({ url });
    throw new ConfigError([`keys.sealedBy: the service of ${schemeOf(url)}: does not encrypt. Choose another one.`]);
  });
