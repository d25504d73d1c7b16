import { parseJson } from '@carnet/adapter-contract/kit';
import { CarnetError } from '@carnet/provider/config';
import {
  type Jwk,
  parseJwk,
  parsePrivateSigner,
  type Rotation,
  type SigningAlgorithm,
  withStoredKeys,
} from '@carnet/provider/keys';
import { type Command, onlyOperand } from '../command.ts';
import { issuerOptions } from '../config/command-line.ts';
import { readText } from '../json-sources.ts';
import { assertInStore, loadKeyConfig, timeOf } from './key-config.ts';

interface ImportedKey {
  readonly alg: SigningAlgorithm;
  readonly jwk: Jwk;
}

/** The keys of a JWKS, or the one of a bare JWK, which `hydra get jwk` prints for a set of one key. */
const entriesIn = (file: string): readonly Record<string, unknown>[] => {
  const text = readText(file);
  if (text === '')
    throw new Error(`${file} is empty. Name a file with a JWKS ({"keys":[...]}) or a JWK ({"kty":...}).`);
  // Without the error of JSON.parse: it quotes the text at which it failed, and that may be key material.
  const content = parseJson(text);
  const { keys, kty } = (content ?? {}) as { readonly keys?: unknown; readonly kty?: unknown };
  if (typeof kty === 'string') return [content as Record<string, unknown>];
  if (!Array.isArray(keys)) throw new Error(`${file} is neither a JWKS ({"keys":[...]}) nor a JWK ({"kty":...}).`);
  if (keys.length === 0) throw new Error(`${file} is a JWKS without keys, so there are none to import.`);
  return keys;
};

/** All keys of a file. Throws for a key that can't be used, before any key is stored. */
const readKeys = (file: string): readonly ImportedKey[] =>
  entriesIn(file).map((entry, index) => {
    try {
      const { alg, kid } = parsePrivateSigner(entry);
      return { alg, jwk: parseJwk({ ...entry, alg, use: 'sig' }, kid) };
    } catch (error) {
      throw new Error(`${file}: key ${index + 1} ${(error as Error).message}.`);
    }
  });

const importKey = async (rotation: Rotation, { alg, jwk }: ImportedKey): Promise<string> => {
  try {
    const { activeAt } = await rotation.rotate(alg, { jwk, soon: true });
    return `${alg}: ${jwk.kid} signs from ${timeOf(activeAt)}.`;
  } catch (error) {
    if (error instanceof CarnetError && error.code === 'conflict') return `${alg}: ${jwk.kid} is already in the store.`;
    throw error;
  }
};

export const keysImport: Command = {
  name: 'keys import',
  summary:
    'Import the private keys of a JWKS or JWK file into the store. If no server has started with KEYS_SOURCE=store yet, they become the signing keys.',
  options: issuerOptions,
  operands: '<file>',
  examples: ['carnet keys import keys.json --config carnet.yaml'],
  run: async (values, surface, operands) => {
    const keys = readKeys(onlyOperand(operands, 'JWKS file'));
    const config = loadKeyConfig(values, surface);
    assertInStore(config);
    await withStoredKeys(config, async (rotation) => {
      // The first key of a file signs. In the store the newest key signs, so the first one is imported last.
      for (const key of keys.toReversed()) surface.out(await importKey(rotation, key));
    });
  },
};
