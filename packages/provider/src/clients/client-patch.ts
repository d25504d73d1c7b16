import { isObject } from '@carnet/adapter-contract/kit';
import jsonPatch from 'fast-json-patch';
import { z } from 'zod';
import { CarnetError } from '../errors.ts';
import { parseJson } from '../http/strict-json.ts';

const maxOperations = 100;
const maxPointerLength = 512;
const maxDocumentLength = 131_072;

/** The members that a patch must not change or move: the identity, the times, and the hashes of secrets. */
const fixedMembers: readonly string[] = [
  'id',
  'client_id',
  'created_at',
  'updated_at',
  'rotated_secrets',
  'client_secret_expires_at',
];
const prototypeMembers: readonly string[] = ['__proto__', 'constructor', 'prototype'];

const refuse = (problem: string, cause?: unknown): CarnetError =>
  new CarnetError('invalid_request', problem, { cause });

const segmentsOf = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));

/** A JSON pointer (RFC 6901) to a member that may be changed. The whole document is none. */
const pointer = z
  .string()
  .max(maxPointerLength, 'is too long')
  .regex(/^\//, 'must start with "/"')
  .refine(
    (value) => !segmentsOf(value).some((segment) => prototypeMembers.includes(segment)),
    'names a forbidden member',
  )
  .refine((value) => !fixedMembers.includes(segmentsOf(value)[0] ?? ''), 'names a member that can not be changed');

const value = z.unknown().refine((given) => given !== undefined, 'is missing');

const operation = z.discriminatedUnion('op', [
  z.object({ op: z.enum(['add', 'replace', 'test']), path: pointer, value }),
  z.object({ op: z.literal('remove'), path: pointer }),
  z.object({ op: z.enum(['move', 'copy']), path: pointer, from: pointer }),
]);

/** An operation of a JSON Patch (RFC 6902). */
export type PatchOperation = Readonly<z.output<typeof operation>>;

const operations = z.array(operation).max(maxOperations);

const parseOperations = (patch: unknown): readonly PatchOperation[] => {
  const result = operations.safeParse(patch);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw refuse(`The JSON Patch (RFC 6902) is not valid: ${issue?.path.map(String).join('.')} ${issue?.message}.`);
};

const assertSize = (document: object): void => {
  if (JSON.stringify(document).length > maxDocumentLength) throw refuse('The JSON Patch makes the client too large.');
};

/**
 * As in Hydra, `replace` sets a member of an object even if the object lacks it: responses leave out unset members, so
 * a caller can't know. An element of an array is replaced only if it exists.
 */
const asAdd = (document: object, step: PatchOperation): PatchOperation => {
  if (step.op !== 'replace') return step;
  const parent: unknown = jsonPatch.getValueByPointer(document, step.path.slice(0, step.path.lastIndexOf('/')));
  return isObject(parent) ? { ...step, op: 'add' } : step;
};

const applyOne = (document: object, step: PatchOperation, index: number): object => {
  try {
    const asked = asAdd(document, step) as jsonPatch.Operation;
    const { newDocument } = jsonPatch.applyOperation(document, asked, true, true, true, index);
    // A copy may double what there is: without looking each time, thirty of them would fill the memory.
    if (step.op === 'copy') assertSize(newDocument);
    return newDocument;
  } catch (cause) {
    if (cause instanceof CarnetError) throw cause;
    // The document and the shape of the operation are sound, so whatever fails here is what the patch asks for.
    throw refuse(`The JSON Patch can not be applied: operation ${index} (${step.op}) does not fit the client.`, cause);
  }
};

const serialise = (document: object): string => {
  try {
    return JSON.stringify(document);
  } catch (cause) {
    throw refuse('The JSON Patch nests the client too deeply.', cause);
  }
};

/**
 * Applies a JSON Patch (RFC 6902) to a copy of a document. The result is untrusted input that the caller must validate.
 * @throws CarnetError `invalid_request`
 */
export const applyPatch = (document: object, patch: unknown): unknown => {
  const steps = parseOperations(patch);
  const patched = steps.reduce<object>(applyOne, structuredClone(document));
  return parseJson(serialise(patched), { what: 'The patched client', maxBytes: maxDocumentLength });
};

/** The members of the client that the operations of a patch set or remove as a whole. */
export const membersSetBy = (patch: unknown): readonly string[] =>
  parseOperations(patch).flatMap(({ op, path }) => (op === 'test' ? [] : path.slice(1)));
