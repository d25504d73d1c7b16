import { setImmediate as nextTurn } from 'node:timers/promises';
import { badRequest, ScimError } from '../protocol/scim-error.ts';
import { isObject } from '../schema/normalise.ts';
import { referencesIn, withReferences } from './bulk-references.ts';
import { type Answer, answer, type Handle, refused } from './operation.ts';
import { assertAllowed, type Bulk, type BulkOperation, parseBulk } from './parse-bulk.ts';

export interface BulkOptions {
  readonly baseUrl: string;
  /** Answers one operation. It takes a place of the rate limit. */
  readonly perform: Handle;
  readonly onError: (error: unknown) => void;
}

const isFailure = ({ status }: Answer): boolean => status >= 300;

const resultOf = ({ method, bulkId, path }: BulkOperation, { status, headers, body }: Answer, baseUrl: string) => ({
  method,
  ...(bulkId !== '' && { bulkId }),
  location: headers.Location ?? (method === 'POST' ? undefined : baseUrl + path),
  version: headers.ETag,
  status: String(status),
  ...(status >= 300 && { response: body }),
});

/** Performs the operations of one bulk request. */
const createJob = ({ operations, creations, mostErrors }: Bulk, { baseUrl, perform, onError }: BulkOptions) => {
  const begun = new Set<BulkOperation>();
  const results = new Map<BulkOperation, object>();
  /** The ids of what has been created, by `bulkId`. */
  const ids = new Map<string, string>();
  let errors = 0;

  const idOf = (bulkId: string): string => {
    const id = ids.get(bulkId);
    if (id !== undefined) return id;
    if (!creations.has(bulkId))
      throw badRequest('invalidValue', `No POST of the request has the bulkId of a reference.`);
    // RFC 7644, section 3.7.1: 409, also for operations that refer to each other in a circle.
    throw new ScimError(409, 'The operation refers to one that has failed, or that refers to it.');
  };

  const run = async (operation: BulkOperation): Promise<readonly [BulkOperation, Answer]> => {
    try {
      assertAllowed(operation);
      const resolved = { ...operation, ...withReferences(operation, idOf) };
      const { method, path, version, data } = resolved;
      const headers = { ...(typeof version === 'string' && { 'if-match': version }) };
      return [resolved, await perform({ method, path, query: new URLSearchParams(), headers, json: async () => data })];
    } catch (error) {
      return [operation, refused(error, onError)];
    }
  };

  const finish = async (operation: BulkOperation): Promise<void> => {
    if (begun.has(operation)) return;
    begun.add(operation);
    for (const name of referencesIn(operation)) {
      const referred = creations.get(name);
      if (referred !== undefined) await finish(referred);
    }
    if (errors >= mostErrors) return;
    await nextTurn();
    const [resolved, result] = await run(operation);
    if (isFailure(result)) errors += 1;
    else if (operation.method === 'POST' && isObject(result.body)) ids.set(operation.bulkId, String(result.body.id));
    results.set(operation, resultOf(resolved, result, baseUrl));
  };

  return async () => {
    for (const operation of operations) await finish(operation);
    return operations.flatMap((operation) => results.get(operation) ?? []);
  };
};

/**
 * Bulk requests (RFC 7644, section 3.7): one operation after the other, each after those to which it refers.
 *
 * A bulk request does not block the process: each operation takes a place of the rate limit, as a request does, and the process
 * answers other requests between two operations.
 */
export const createBulk =
  (options: BulkOptions): Handle =>
  async (request) => {
    const finishAll = createJob(parseBulk(await request.json()), options);
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:BulkResponse'];
    return answer(200, { schemas, Operations: await finishAll() });
  };
