import { createPrivateKey, createPublicKey, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { privateJwkMembers } from '@carnet/provider/keys';
import { adminOptions, connectAdmin } from '../admin-api.ts';
import { type Command, type Surface, someOperands, text, UsageError, type Values } from '../command.ts';
import { show, shownIds } from '../output.ts';

type Jwk = Readonly<Record<string, unknown>>;

const setPath = (set: string): string => `/keys/${encodeURIComponent(set)}`;
const keysIn = (body: unknown): readonly Jwk[] => (body as { keys: readonly Jwk[] }).keys;

const privateMembers = new Set<string>(privateJwkMembers);
const publicPart = (jwk: Jwk): Jwk =>
  Object.fromEntries(Object.entries(jwk).filter(([name]) => !privateMembers.has(name)));

const publicOption = { public: { type: 'boolean', summary: 'Show only the public parts.' } } as const;
const keyOptions = {
  alg: { type: 'string', value: 'alg', summary: 'RS256, ES256, EdDSA ... Default RS256.' },
  use: { type: 'string', value: 'use', summary: 'sig (default) or enc.' },
} as const;

const showKeys = (values: Values, surface: Surface, set: string, keys: readonly Jwk[]): Promise<void> => {
  const shown = values.public === true ? keys.map(publicPart) : keys;
  return show(values, surface, {
    body: { set, keys: shown },
    headers: ['SET ID', 'KEY ID', 'ALGORITHM', 'USE'],
    rows: keys.map(({ kid, alg, use }) => [set, String(kid), String(alg ?? ''), String(use ?? '')]),
    ids: keys.map(({ kid }) => String(kid)),
    isList: true,
  });
};

const createJwk: Command = {
  name: 'create jwk',
  aliases: ['create jwks'],
  summary: 'Generate a key in a set. The set is created if it does not exist.',
  options: { ...keyOptions, ...publicOption, ...adminOptions },
  operands: '<set> [<key id>]',
  examples: [
    'carnet create jwk my-set --alg ES256',
    'carnet create jwk my-set my-key --alg ES256 --public --format json',
  ],
  run: async (values, surface, operands) => {
    const [set = '', kid = randomUUID()] = someOperands(operands, 'set');
    const json = { alg: text(values, 'alg') ?? 'RS256', use: text(values, 'use') ?? 'sig', kid };
    const { body } = await connectAdmin(values, surface).call('POST', setPath(set), { json });
    await showKeys(values, surface, set, keysIn(body));
  },
};

const getJwk: Command = {
  name: 'get jwk',
  aliases: ['get jwks'],
  summary: 'Show the keys of sets.',
  options: { ...publicOption, ...adminOptions },
  operands: '<set> [<set> ...]',
  examples: ['carnet get jwk my-set', 'carnet get jwk my-set --public --format json'],
  run: async (values, surface, operands) => {
    const api = connectAdmin(values, surface);
    for (const set of someOperands(operands, 'set')) {
      await showKeys(values, surface, set, keysIn((await api.call('GET', setPath(set))).body));
    }
  },
};

/** A JWK, a set of them, or PEM. */
const parseKeys = (content: string, source: string): readonly Jwk[] => {
  try {
    if (!content.trimStart().startsWith('-----BEGIN')) {
      const value = JSON.parse(content) as { keys?: readonly Jwk[] } & Jwk;
      return value.keys ?? [value];
    }
    const create = content.includes('PRIVATE KEY') ? createPrivateKey : createPublicKey;
    return [create(content).export({ format: 'jwk' }) as Jwk];
  } catch {
    // Not the parser's message: it quotes what may be a private key.
    throw new Error(`${source} has no readable key. Accepted are JWK, JWK set and PEM.`);
  }
};

const completed = (jwk: Jwk, values: Values): Jwk => {
  const alg = jwk.alg ?? text(values, 'alg');
  if (alg === undefined) throw new UsageError('The key does not name its algorithm: add --alg.');
  return { ...jwk, alg, use: jwk.use ?? text(values, 'use') ?? 'sig', kid: jwk.kid ?? randomUUID() };
};

const importJwk: Command = {
  name: 'import jwk',
  aliases: ['import jwks'],
  summary: 'Import keys (JWK, JWK set or PEM) from files or standard input into a set.',
  options: { ...keyOptions, ...publicOption, ...adminOptions },
  operands: '<set> [file ...]',
  examples: ['carnet import jwk my-set key.json', 'carnet import jwk my-set --alg ES256 < key.pem'],
  run: async (values, surface, operands) => {
    const [set = '', ...files] = someOperands(operands, 'set');
    const contents =
      files.length === 0
        ? [['The standard input', (await surface.in?.()) ?? ''] as const]
        : files.map((file) => [file, readFileSync(file, 'utf8')] as const);
    const jwks = contents.flatMap(([source, content]) =>
      parseKeys(content, source).map((jwk) => completed(jwk, values)),
    );
    const api = connectAdmin(values, surface);
    const imported: Jwk[] = [];
    for (const json of jwks) {
      const path = `${setPath(set)}/${encodeURIComponent(String(json.kid))}`;
      imported.push((await api.call('PUT', path, { json })).body as Jwk);
    }
    await showKeys(values, surface, set, imported);
  },
};

const deleteJwk: Command = {
  name: 'delete jwk',
  aliases: ['delete jwks'],
  summary: 'Delete sets of keys.',
  options: adminOptions,
  operands: '<set> [<set> ...]',
  examples: ['carnet delete jwk my-set'],
  run: async (values, surface, operands) => {
    const api = connectAdmin(values, surface);
    const sets = someOperands(operands, 'set');
    for (const set of sets) await api.call('DELETE', setPath(set));
    await show(values, surface, shownIds(sets));
  },
};

export const jwkCommands = [createJwk, getJwk, importJwk, deleteJwk] as const;
