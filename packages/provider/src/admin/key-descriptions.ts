import { z } from 'zod';
import type { RouteDescription } from '../http/types.ts';
import { jwkSchema, kidSchema } from '../keys/jwk-schema.ts';

/** SDKs send a member that is not set as `null` or `""`. */
const unset = z.literal('').nullish();

const orUnset = <T>(schema: z.ZodType<T>) =>
  z
    .union([schema, unset])
    .transform((value) => (value === '' || value === null ? undefined : (value as T | undefined)));

export const newKeyBody = z.object({
  alg: z.string().max(64),
  kid: orUnset(kidSchema),
  use: orUnset(z.enum(['sig', 'enc'])),
});

export const keySetBody = z.object({ keys: z.array(z.looseObject({})).max(500) });

const keyAnswer = jwkSchema
  .extend({ alg: z.string(), use: z.string() })
  .strict()
  .meta({ id: 'JsonWebKey', description: 'A JSON Web Key (RFC 7517).' });

const keySetAnswer = z
  .strictObject({ keys: z.array(keyAnswer) })
  .meta({ id: 'JsonWebKeySet', description: 'The keys that sign tokens are returned with their public members only.' });

/** The OpenAPI descriptions of the keys' routes. */
export const keyDescriptions = {
  getSet: { operationId: 'getJsonWebKeySet', summary: 'Get the keys of a set.', answers: { 200: keySetAnswer } },
  createKey: {
    operationId: 'createJsonWebKeySet',
    summary: 'Generate a key in a set. In a set of signing keys of Carnet, the new key is the next one to sign.',
    body: { schema: newKeyBody },
    answers: { 201: keySetAnswer },
  },
  replaceSet: {
    operationId: 'setJsonWebKeySet',
    summary: 'Replace all keys of a set.',
    body: { schema: keySetBody },
    answers: { 200: keySetAnswer },
  },
  removeSet: {
    operationId: 'deleteJsonWebKeySet',
    summary: 'Delete a set and its keys.',
    answers: { 204: null },
  },
  getKey: { operationId: 'getJsonWebKey', summary: 'Get a key, as a set of one.', answers: { 200: keySetAnswer } },
  replaceKey: {
    operationId: 'setJsonWebKey',
    summary: 'Set a key. In a set of signing keys of Carnet, a private key is imported and is the next one to sign.',
    body: { schema: jwkSchema.partial({ kid: true }) },
    answers: { 200: keyAnswer },
  },
  removeKey: {
    operationId: 'deleteJsonWebKey',
    summary: 'Delete a key. A signing key of Carnet can be deleted only when another key signs.',
    answers: { 204: null },
  },
} as const satisfies Record<string, RouteDescription>;
