import { z } from 'zod';
import type { Api } from '../api.ts';
import type { HttpResponse, Route } from '../http/types.ts';
import { type Jwk, jwkSchema } from '../keys/sets/jwk-schema.ts';
import { type GenerateKey, generateKey, type JwkInput, keySet } from '../keys/sets/manage-keys.ts';
import { answerDone } from './answers.ts';

const setPath = '/admin/keys/:set';
const keyPath = `${setPath}/:kid`;

const keyAnswer = jwkSchema
  .extend({ alg: z.string(), use: z.string() })
  .strict()
  .meta({ id: 'JsonWebKey', description: 'A JSON Web Key (RFC 7517).' });

const keySetAnswer = z
  .strictObject({ keys: z.array(keyAnswer) })
  .meta({ id: 'JsonWebKeySet', description: 'The keys that sign tokens are returned with their public members only.' });

const answerKeys = (keys: readonly Jwk[]): HttpResponse => ({ status: 200, body: { keys } });

const setRoutes = ({ keys }: Pick<Api, 'keys'>): readonly Route[] => [
  {
    method: 'GET',
    path: setPath,
    operationId: 'getJsonWebKeySet',
    summary: 'Get the keys of a set.',
    answers: { 200: keySetAnswer },
    handle: async ({ params: { set = '' } }) => answerKeys(await keys.list(set)),
  },
  {
    method: 'POST',
    path: setPath,
    audit: 'key.create',
    operationId: 'createJsonWebKeySet',
    summary: 'Generate a key in a set. In a set of signing keys of Carnet, the new key is the next one to sign.',
    body: { schema: generateKey },
    answers: { 201: keySetAnswer },
    handle: async (request) => {
      const { set = '' } = request.params;
      const key = await keys.generate(set, (await request.json()) as GenerateKey);
      return { status: 201, headers: { Location: `/admin/keys/${encodeURIComponent(set)}` }, body: { keys: [key] } };
    },
  },
  {
    method: 'PUT',
    path: setPath,
    audit: 'key.set_all',
    operationId: 'setJsonWebKeySet',
    summary: 'Replace all keys of a set.',
    body: { schema: keySet },
    answers: { 200: keySetAnswer },
    handle: async (request) => {
      const sent = (await request.json()) as { readonly keys: readonly JwkInput[] } | null;
      return answerKeys(await keys.replace(request.params.set ?? '', sent?.keys as readonly JwkInput[]));
    },
  },
  {
    method: 'DELETE',
    path: setPath,
    audit: 'key.delete_all',
    operationId: 'deleteJsonWebKeySet',
    summary: 'Delete a set and its keys.',
    answers: { 204: null },
    handle: ({ params: { set = '' } }) => answerDone(keys.deleteSet(set)),
  },
];

const keyItemRoutes = ({ keys }: Pick<Api, 'keys'>): readonly Route[] => [
  {
    method: 'GET',
    path: keyPath,
    operationId: 'getJsonWebKey',
    summary: 'Get a key, as a set of one.',
    answers: { 200: keySetAnswer },
    handle: async ({ params: { set = '', kid = '' } }) => answerKeys([await keys.get(set, kid)]),
  },
  {
    method: 'PUT',
    path: keyPath,
    audit: 'key.set',
    operationId: 'setJsonWebKey',
    summary: 'Set a key. In a set of signing keys of Carnet, a private key is imported and is the next one to sign.',
    body: { schema: jwkSchema.partial({ kid: true }) },
    answers: { 200: keyAnswer },
    handle: async (request) => {
      const { set = '', kid = '' } = request.params;
      return { status: 200, body: await keys.put(set, kid, (await request.json()) as JwkInput) };
    },
  },
  {
    method: 'DELETE',
    path: keyPath,
    audit: 'key.delete',
    operationId: 'deleteJsonWebKey',
    summary: 'Delete a key. A signing key of Carnet can be deleted only when another key signs.',
    answers: { 204: null },
    handle: ({ params: { set = '', kid = '' } }) => answerDone(keys.delete(set, kid)),
  },
];

/** Key sets as in Hydra: sets of the callers with their private members, the set that signs tokens without. */
export const keyRoutes = (deps: Pick<Api, 'keys'>): readonly Route[] => [...setRoutes(deps), ...keyItemRoutes(deps)];
