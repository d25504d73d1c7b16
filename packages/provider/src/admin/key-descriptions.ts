import { z } from 'zod';
import type { RouteDescription } from '../http/types.ts';
import { jwkSchema, kidSchema } from '../keys/jwk-schema.ts';

/** SDKs send what is not set as `null` or `""`. */
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
  .meta({ id: 'JsonWebKeySet', description: 'Of the keys that sign in our name the public members alone.' });

/** What the OpenAPI document says of the keys' routes. */
export const keyDescriptions = {
  getSet: { operationId: 'getJsonWebKeySet', summary: 'Get the keys of a set.', answers: { 200: keySetAnswer } },
  createKey: {
    operationId: 'createJsonWebKeySet',
    summary: 'Generate a key in a set. In a set of the keys that sign in our name it will be the next one to sign.',
    body: { schema: newKeyBody },
    answers: { 201: keySetAnswer },
  },
  replaceSet: {
    operationId: 'setJsonWebKeySet',
    summary: 'Set the keys of a set, all of them.',
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
    summary:
      'Set a key. A private key is adopted by a set of the keys that sign in our name, to be the next one to sign.',
    body: { schema: jwkSchema.partial({ kid: true }) },
    answers: { 200: keyAnswer },
  },
  removeKey: {
    operationId: 'deleteJsonWebKey',
    summary: 'Delete a key. One that signs in our name can not be deleted before another one does.',
    answers: { 204: null },
  },
} as const satisfies Record<string, RouteDescription>;
