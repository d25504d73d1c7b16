import type { z } from 'zod';
import { CarnetError } from '../errors.ts';
import type { HttpRequest, HttpResponse, Route } from '../http/types.ts';
import { generateJwk } from '../keys/generate-jwk.ts';
import { type Jwk, parseJwk } from '../keys/jwk-schema.ts';
import { type KeySets, maxSetNameBytes } from '../keys/key-sets.ts';
import type { ManagedKeys } from '../keys/managed-keys.ts';
import { keyDescriptions as about, keySetBody, newKeyBody } from './key-descriptions.ts';

/** The names under which Hydra keeps the keys that it signs with. Here both stand for one set: ours. */
const signingSets: ReadonlySet<string> = new Set(['hydra.openid.id-token', 'hydra.jwt.access-token']);

export interface KeyDependencies {
  readonly keySets: KeySets;
  readonly managedKeys: ManagedKeys;
}

type Handle = (request: HttpRequest, deps: KeyDependencies) => Promise<HttpResponse>;

/** The body as a schema has it. What is wrong is named, and nothing of it quoted: it may be a private key. */
const bodyOf = async <T>(request: HttpRequest, schema: z.ZodType<T>): Promise<T> => {
  const result = schema.safeParse(await request.json());
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path, message }) => `${path.join('.') || 'the body'}: ${message}`);
  throw new CarnetError('invalid_request', `${problems.join('; ')}.`);
};

const setOf = ({ params: { set = '' } }: HttpRequest): string => {
  if (Buffer.byteLength(set) <= maxSetNameBytes && !/\p{C}/u.test(set)) return set;
  throw new CarnetError(
    'invalid_request',
    `A key set's name has at most ${maxSetNameBytes} bytes, and no control characters.`,
  );
};

const kidOf = ({ params: { kid = '' } }: HttpRequest): string => kid;

const notFound = (): CarnetError => new CarnetError('not_found', '');

const keysBody = (status: number, keys: readonly Jwk[]): HttpResponse => ({ status, body: { keys } });

const created = (set: string, key: Jwk): HttpResponse => ({
  ...keysBody(201, [key]),
  headers: { Location: `/admin/keys/${encodeURIComponent(set)}` },
});

const getSet: Handle = async (request, { keySets, managedKeys }) => {
  const set = setOf(request);
  const keys = signingSets.has(set) ? managedKeys.list() : await keySets.list(set);
  if (keys.length === 0) throw notFound();
  return keysBody(200, keys);
};

const getKey: Handle = async (request, { keySets, managedKeys }) => {
  const [set, kid] = [setOf(request), kidOf(request)];
  const key = signingSets.has(set) ? managedKeys.list().find((each) => each.kid === kid) : await keySets.find(set, kid);
  if (key === undefined) throw notFound();
  return keysBody(200, [key]);
};

const createKey: Handle = async (request, { keySets, managedKeys }) => {
  const set = setOf(request);
  const { alg, kid, use } = await bodyOf(request, newKeyBody);
  if (signingSets.has(set)) {
    if (use === 'enc')
      throw new CarnetError('invalid_request', 'The keys of this set are for signing: "use" is "sig".');
    return created(set, await managedKeys.add(alg, kid));
  }
  const jwk = await generateJwk(alg, { kid, use });
  await keySets.add(set, jwk);
  return created(set, jwk);
};

const refuseReplacement = (): never => {
  throw new CarnetError(
    'request_forbidden',
    'The keys that sign are not replaced or removed all at once. POST makes a new one; DELETE removes one that does not sign.',
  );
};

const replaceSet: Handle = async (request, { keySets }) => {
  const set = setOf(request);
  if (signingSets.has(set)) return refuseReplacement();
  const { keys } = await bodyOf(request, keySetBody);
  const jwks = keys.map((key) => parseJwk(key));
  if (new Set(jwks.map(({ kid }) => kid)).size !== jwks.length) {
    throw new CarnetError('invalid_request', 'Two keys of the set have the same "kid".');
  }
  await keySets.replace(set, jwks);
  return keysBody(200, jwks);
};

const replaceKey: Handle = async (request, { keySets, managedKeys }) => {
  const [set, kid] = [setOf(request), kidOf(request)];
  const jwk = parseJwk(await request.json(), kid);
  if (jwk.kid !== kid) throw new CarnetError('invalid_request', 'The "kid" of the key is not that of the path.');
  if (signingSets.has(set)) return { status: 200, body: await managedKeys.adopt(jwk) };
  await keySets.put(set, jwk);
  return { status: 200, body: jwk };
};

// DELETE answers 204 for an unknown set or key, as Hydra does: programs that clean up delete without asking first.
const removeSet: Handle = async (request, { keySets }) => {
  const set = setOf(request);
  if (signingSets.has(set)) return refuseReplacement();
  await keySets.removeAll(set);
  return { status: 204 };
};

const removeKey: Handle = async (request, { keySets, managedKeys }) => {
  const [set, kid] = [setOf(request), kidOf(request)];
  await (signingSets.has(set) ? managedKeys.remove(kid) : keySets.remove(set, kid));
  return { status: 204 };
};

const setPath = '/admin/keys/:set';
const keyPath = `${setPath}/:kid`;

/** Key sets as Hydra has them: a user's own with their private members, those that sign in our name without. */
export const keyRoutes = (deps: KeyDependencies): readonly Route[] => {
  const table = [
    { method: 'GET', path: setPath, description: about.getSet, handle: getSet },
    { method: 'POST', path: setPath, description: about.createKey, audit: 'key.create', handle: createKey },
    { method: 'PUT', path: setPath, description: about.replaceSet, audit: 'key.set_all', handle: replaceSet },
    { method: 'DELETE', path: setPath, description: about.removeSet, audit: 'key.delete_all', handle: removeSet },
    { method: 'GET', path: keyPath, description: about.getKey, handle: getKey },
    { method: 'PUT', path: keyPath, description: about.replaceKey, audit: 'key.set', handle: replaceKey },
    { method: 'DELETE', path: keyPath, description: about.removeKey, audit: 'key.delete', handle: removeKey },
  ] as const;
  return table.map(({ handle, ...route }) => ({ ...route, handle: (request) => handle(request, deps) }));
};
