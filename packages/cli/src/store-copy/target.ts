import { randomUUID } from 'node:crypto';
import type { RecordKey, StorageAdapter } from '@carnet/adapter-contract';
import { scanPages } from '../records/scan-pages.ts';
import type { Pair } from './compare-stores.ts';

/** The record that shows whether two stores are one: a token that no client has. A copy that is killed may leave it behind. */
export const probe = { kind: 'access_token', id: 'carnet-store-copy' } as const satisfies RecordKey;

/** The records of the first page of a store that is not empty. */
const firstPage = async (store: StorageAdapter) => {
  for await (const records of scanPages(store)) {
    const others = records.filter(({ id }) => id !== probe.id);
    if (others.length > 0) return others;
  }
  return [];
};

/** @throws Error if the target is not empty */
export const assertEmpty = async ({ target }: Pair): Promise<void> => {
  if ((await firstPage(target)).length === 0) return;
  throw new Error(
    'The target has records. If they are from an earlier copy of this source, and no server has used the target, add --again: records that differ are then changed or removed.',
  );
};

/**
 * Two URLs may lead to one store: another name of the host, a link to the file. It would be reported to be equal, and the source
 * would then be removed. So the target gets a record, which the source must not have.
 *
 * @throws Error if the target is the source
 */
export const assertSeparate = async ({ source, target }: Pair): Promise<void> => {
  const payload = JSON.stringify(randomUUID());
  const record = { ...probe, payload, expiresAt: new Date(Date.now() + 60_000) };
  await target.commit([{ type: 'put', record }]);
  const [found] = await source.read([probe]);
  await target.commit([{ type: 'remove', key: probe }]);
  if (found?.payload === payload)
    throw new Error('The source and the target are the same store. Check --from and --to.');
};

/**
 * Protects the records of a store that was named as the target by mistake, which would all be removed: the target of a
 * repeated copy has mostly records of the source.
 *
 * @throws Error if it has not
 */
export const assertIsCopy = async ({ source, target }: Pair): Promise<void> => {
  const sample = await firstPage(target);
  const copied = (await source.read(sample)).filter((record) => record !== undefined);
  if (copied.length * 2 >= sample.length) return;
  throw new Error(
    'The target is not a copy of the source: the source lacks most of its records. Nothing was changed. Check --from and --to, or use an empty target.',
  );
};
