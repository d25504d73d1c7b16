import type { FoundRecord, StorageAdapter, StoredRecord } from '@carnet/adapter-contract';
import type { Vault } from './vault.ts';

const toStored = ({ consumedAt: _, members: __, ...record }: FoundRecord): StoredRecord => record;

/** Encrypts records with the first secret of the vault. Returns how many; others cannot be decrypted, or are gone. */
export const sealAgain = async (
  records: readonly FoundRecord[],
  {
    adapter,
    vault,
  }: { readonly adapter: Pick<StorageAdapter, 'commit'>; readonly vault: Pick<Vault, 'seal' | 'open'> },
): Promise<number> => {
  let count = 0;
  for (const record of records) {
    const text = vault.open(record.id, record.payload);
    if (text === undefined) continue;
    // `onlyIfPresent`: a key that was removed meanwhile is not restored.
    const resealed = { ...toStored(record), payload: vault.seal(record.id, text) };
    if ((await adapter.commit([{ type: 'put', record: resealed, onlyIfPresent: true }])) === undefined) count += 1;
  }
  return count;
};
