import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { type JsonObject, objectsIn } from '@carnet/adapter-contract/kit';
import { CarnetError } from '@carnet/provider';
import type { ClientImportMessages } from '../../../messages/client-import/en.ts';
import { fill } from '../../../messages/fill.ts';

/** 10,000 clients of Hydra with all their members. The file is read into memory, and parsed at once. */
export const maxFileBytes = 16_000_000;
/** Small clients: without this limit, a file could register millions. */
export const maxClients = 20_000;

/** One client of a file. */
export interface Entry {
  /** The place in the file, from 1. */
  readonly number: number;
  readonly exported: JsonObject;
  readonly id: string | undefined;
  /** Another client of the file has the id already. */
  readonly isRepeated: boolean;
}

const entriesOf = (objects: readonly JsonObject[]): readonly Entry[] => {
  const seen = new Set<string>();
  return objects.map((exported, index) => {
    const id = typeof exported.client_id === 'string' && exported.client_id !== '' ? exported.client_id : undefined;
    const isRepeated = id !== undefined && seen.has(id);
    if (id !== undefined) seen.add(id);
    return { number: index + 1, exported, id, isRepeated };
  });
};

const problemNames = {
  empty: 'empty',
  not_utf8: 'notUtf8',
  not_json: 'notJson',
  not_objects: 'notObjects',
  one_page: 'onePage',
} as const;

/** The clients of a file. @throws CarnetError `invalid_request` with a message for the operator, which quotes no value */
export const clientsIn = (text: string, { problems }: ClientImportMessages): readonly Entry[] => {
  const refuse = (message: string) => new CarnetError('invalid_request', message);
  const read = objectsIn(text);
  if ('problem' in read) {
    const { problem, line } = read;
    if (problem === 'not_json' && line !== undefined) throw refuse(fill(problems.notJsonLine, { line }));
    throw refuse(problems[problemNames[problem]]);
  }
  const count = read.objects.length;
  if (count === 0) throw refuse(problems.empty);
  if (count > maxClients) throw refuse(fill(problems.tooMany, { count, most: maxClients }));
  return entriesOf(read.objects);
};

/**
 * The file as a field of the page of its check. So the import needs no second upload, and no process keeps the file: another one may
 * answer the next request.
 */
export const pack = async (text: string): Promise<string> => (await promisify(gzip)(text)).toString('base64');

/** @throws CarnetError `invalid_request`, also for a small field that would become larger than a file may be */
export const unpack = async (packed: string, { problems }: ClientImportMessages): Promise<string> => {
  const content = await promisify(gunzip)(Buffer.from(packed, 'base64'), { maxOutputLength: maxFileBytes }).catch(
    () => {
      throw new CarnetError('invalid_request', problems.notJson);
    },
  );
  return content.toString();
};
