import type { RecordKey, StorageAdapter } from '@carnet/adapter-contract';
import { grantKey, tokenKeys } from '../../src/tokens/token-value.ts';
import type { Json } from '../login.ts';

/** Where the tokens of an answer are stored. */
export const keysIn = ({ access_token, refresh_token }: Json): RecordKey[] =>
  [access_token, refresh_token].flatMap((value) => tokenKeys(String(value))?.token ?? []);

const isAlive = async (store: Pick<StorageAdapter, 'read'>, token: RecordKey): Promise<boolean> => {
  const keys = token.grantId === undefined ? [token] : [token, grantKey(token.grantId)];
  const records = await store.read(keys);
  return records.every((record) => record !== undefined && record.consumedAt === null);
};

/** How many of these tokens still work, each counted once, looked up where they are stored. */
export const countWorking = async (store: Pick<StorageAdapter, 'read'>, tokens: readonly RecordKey[]) => {
  const counts = { access: 0, refresh: 0 };
  for (const token of new Map(tokens.map((each) => [each.id, each])).values()) {
    if (await isAlive(store, token)) counts[token.kind === 'refresh_token' ? 'refresh' : 'access'] += 1;
  }
  return counts;
};
