import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './workspace.mjs';

const read = (path) => {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
};

/** A secret of the consent UI that survives a restart. It is made at the first start, in `.carnet`. */
export const keptSecret = () => {
  const folder = join(root, '.carnet');
  const path = join(folder, 'ui-cookie-secret');
  const known = read(path);
  if (known) return known;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const secret = randomBytes(32).toString('base64url');
  writeFileSync(path, secret, { mode: 0o600 });
  return secret;
};
