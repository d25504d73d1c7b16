import { readFileSync } from 'node:fs';
import { CarnetError } from '../errors.ts';
import { type Jwk, parseJwk } from '../keys/jwk-schema.ts';
import { parsePrivateSigner } from '../keys/load-keys.ts';
import type { Rotation } from '../keys/rotation.ts';
import type { SigningAlgorithm } from '../keys/signer.ts';
import { type Command, exitCodes, onlyOperand } from './command.ts';
import { configOptions, loadFromCommandLine } from './load.ts';
import { assertInStore, withRotation } from './open-rotation.ts';

interface ImportedKey {
  readonly alg: SigningAlgorithm;
  readonly jwk: Jwk;
}

/** All of the file, or none: what can't be used is found before anything is stored. */
const readKeys = (file: string): readonly ImportedKey[] => {
  let keys: unknown;
  try {
    keys = (JSON.parse(readFileSync(file, 'utf8')) as { keys?: unknown } | null)?.keys;
  } catch {
    // The cause is dropped on purpose: JSON.parse quotes what it stumbled over, which may be key material.
  }
  if (!Array.isArray(keys)) throw new Error(`${file} is not a JWKS ({"keys":[...]}) that can be read.`);
  return keys.map((entry: Record<string, unknown>, index) => {
    try {
      const { alg, kid } = parsePrivateSigner(entry);
      return { alg, jwk: parseJwk({ ...entry, alg, use: 'sig' }, kid) };
    } catch (error) {
      throw new Error(`${file}: key ${index + 1} ${(error as Error).message}.`);
    }
  });
};

const importKey = async (rotation: Rotation, { alg, jwk }: ImportedKey): Promise<string> => {
  try {
    const { activeAt } = await rotation.rotate(alg, { jwk, soon: true });
    return `${alg}: ${jwk.kid} signs from ${new Date(activeAt).toISOString().slice(0, 19)}Z.`;
  } catch (error) {
    if (error instanceof CarnetError && error.code === 'conflict') return `${alg}: ${jwk.kid} is there already.`;
    throw error;
  }
};

export const keysImport: Command = {
  name: 'keys import',
  summary:
    'Put the private keys of a JWKS file into the store: before the first start with KEYS_SOURCE=store, they go on signing.',
  options: configOptions,
  operands: '<file>',
  examples: ['carnet keys import keys.json --config carnet.yaml'],
  run: async (values, surface, operands) => {
    const keys = readKeys(onlyOperand(operands, 'JWKS file'));
    const { config } = loadFromCommandLine(values, surface);
    assertInStore(config);
    await withRotation(config, async (rotation) => {
      // Of two keys for one algorithm the first in a file signs: it comes last, for the newest does.
      for (const key of keys.toReversed()) surface.out(await importKey(rotation, key));
    });
    return exitCodes.ok;
  },
};
