import { readFile } from 'node:fs/promises';
import { isLoopbackHost, SignerUnfitError } from '@carnet/signer-contract';

export interface TokenSource {
  /** Undefined without a token: Vault Agent and Vault Proxy add their own. @throws SignerUnfitError */
  read(): Promise<string | undefined>;
  /** Reads the file again after a token was refused. Undefined if it has no other one. @throws SignerUnfitError */
  replace(refused: string | undefined): Promise<string | undefined>;
}

/** Vault Agent writes a new token before the old one expires, so that a short delay is not noticed. */
const keptMs = 5_000;

const openFile = (file: string): TokenSource => {
  let token: string | undefined;
  let keptUntil = 0;
  const load = async (): Promise<string> => {
    const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      throw new SignerUnfitError(`VAULT_TOKEN_FILE: ${file} can't be read (${error.code}).`, { cause: error });
    });
    const loaded = text.trim();
    if (!/^[\x21-\x7e]+$/.test(loaded)) throw new SignerUnfitError(`VAULT_TOKEN_FILE: ${file} holds no token.`);
    keptUntil = performance.now() + keptMs;
    return loaded;
  };
  return {
    async read() {
      if (token === undefined || performance.now() >= keptUntil) token = await load();
      return token;
    },
    async replace(refused) {
      token = await load();
      return token === refused ? undefined : token;
    },
  };
};

/**
 * Where the token comes from: `VAULT_TOKEN`, or the file `VAULT_TOKEN_FILE`, which is read again every few seconds. Carnet
 * neither logs in nor renews a token: Vault Agent does, and writes the file.
 *
 * @throws SignerUnfitError if there is none, unless Vault is on loopback, where Vault Agent and Vault Proxy listen
 */
export const openToken = (env: NodeJS.ProcessEnv, origin: URL): TokenSource => {
  const { VAULT_TOKEN: token, VAULT_TOKEN_FILE: file } = env;
  if (token && file) throw new SignerUnfitError('VAULT_TOKEN and VAULT_TOKEN_FILE are both set. Set one of them.');
  if (file) return openFile(file);
  if (!token && !isLoopbackHost(origin.hostname)) {
    throw new SignerUnfitError(
      'vault: no token. Set VAULT_TOKEN_FILE to the file that Vault Agent writes, or VAULT_TOKEN.',
    );
  }
  return { read: async () => token || undefined, replace: async () => undefined };
};
