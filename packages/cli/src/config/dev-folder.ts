import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, ConfigError, type DevMode, type DevSecrets, isTree } from '@carnet/provider/config';
import { accountsConfig, accountsPackages, missingPackages } from '../load-package.ts';

const fileIn = (folder: string): string => join(folder, 'secrets.json');

const isDevSecrets = (value: unknown): value is DevSecrets =>
  isTree(value) && [value.secrets, value.keys].every((part) => part === undefined || isTree(part));

/** The secrets that an earlier run has kept, if any. */
const readDevSecrets = (folder: string): DevSecrets | undefined => {
  let text: string;
  try {
    text = readFileSync(fileIn(folder), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const advice = `${fileIn(folder)}: was not written by dev mode. Remove it, and the next start generates new secrets.`;
  try {
    const kept: unknown = JSON.parse(text);
    if (isDevSecrets(kept)) return kept;
  } catch {
    // Reported below. The error of the parser would quote the file, which holds secrets.
  }
  throw new ConfigError([advice]);
};

/** The store and the secrets of dev mode in a folder, and the users if their packages are installed. */
export const devModeIn = (folder: string): DevMode => ({
  store: `sqlite:${join(folder, 'carnet.db')}`,
  ...(missingPackages(accountsPackages).length === 0 && {
    accounts: accountsConfig?.devAccounts(`sqlite:${join(folder, 'accounts.db')}`),
  }),
  readSecrets: () => readDevSecrets(folder),
});

/**
 * Makes the folder of dev mode's store, and writes the generated secrets to a file that only this user can read, for the
 * next run. Configured secrets are not written.
 */
export const keepDevSecrets = (folder: string, { secrets, keys }: Config, generated: readonly string[]): void => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (generated.length === 0) return;
  const kept: DevSecrets = {
    ...(generated.includes('secrets.system') && { secrets }),
    ...(generated.includes('keys.jwks') && keys.jwks && { keys: { jwks: keys.jwks } }),
    ...readDevSecrets(folder),
  };
  const draft = `${fileIn(folder)}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(kept, null, 2), { mode: 0o600 });
  renameSync(draft, fileIn(folder));
};
