import { mostBulkOperations } from '../protocol/limits.ts';
import { badRequest, ScimError } from '../protocol/scim-error.ts';
import { isObject } from '../schema/normalise.ts';
import type { Target } from './bulk-references.ts';

export interface BulkOperation extends Target {
  readonly method: string;
  /** Empty without one. */
  readonly bulkId: string;
  /** Undefined without one. */
  readonly version: unknown;
}

export interface Bulk {
  readonly operations: readonly BulkOperation[];
  /** The operations to which others can refer, by `bulkId`. */
  readonly creations: ReadonlyMap<string, BulkOperation>;
  /** After this number of failures, the others are not begun. */
  readonly mostErrors: number;
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const operationOf = (given: unknown): BulkOperation => {
  const { method, path, bulkId, version, data } = isObject(given) ? given : {};
  const target = { path: textOf(path) ?? '', data };
  return {
    ...target,
    method: String(method).toUpperCase(),
    bulkId: textOf(bulkId) ?? '',
    version: version ?? undefined,
  };
};

/** @throws ScimError */
export const parseBulk = (body: unknown): Bulk => {
  const { Operations: given, failOnErrors = Infinity } = isObject(body) ? body : {};
  if (!Array.isArray(given)) throw badRequest('invalidSyntax', 'A bulk request has a list of Operations.');
  if (given.length > mostBulkOperations)
    throw new ScimError(413, `A bulk request has at most ${mostBulkOperations} operations.`);
  if (typeof failOnErrors !== 'number' || failOnErrors < 1)
    throw badRequest('invalidValue', 'The member failOnErrors must be a number from 1.');
  const operations = given.map(operationOf);
  const named = operations.filter(({ method, bulkId }) => method === 'POST' && bulkId !== '');
  const creations = new Map(named.map((operation) => [operation.bulkId, operation]));
  if (creations.size < named.length) throw badRequest('invalidValue', 'Each bulkId names one operation.');
  return { operations, creations, mostErrors: failOnErrors };
};

const one = /^\/(?:Users|Groups)\/[^/?#]+$/;
const paths: Readonly<Record<string, RegExp>> = { POST: /^\/(?:Users|Groups)$/, PUT: one, PATCH: one, DELETE: one };

/** @throws ScimError for an operation that a bulk request can't have */
export const assertAllowed = ({ method, path, bulkId, version }: BulkOperation): void => {
  if (!Object.hasOwn(paths, method) || !paths[method]?.test(path))
    throw badRequest('invalidPath', 'An operation is a POST to /Users or /Groups, or PUT, PATCH or DELETE of one.');
  if (method === 'POST' && bulkId === '') throw badRequest('invalidSyntax', 'A POST needs a bulkId.');
  // Safe against a condition that is dropped: the operation would overwrite a change that the client has not seen.
  if (version !== undefined && textOf(version) === undefined)
    throw badRequest('invalidValue', 'The version of an operation must be a text.');
};
