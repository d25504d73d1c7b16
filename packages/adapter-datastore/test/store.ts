import { randomBytes } from 'node:crypto';
import type { StoredRecord, Write } from '@carnet/adapter-contract';

/** The URL of an empty store on a server: a namespace of its own. */
export const createStore = ({ host, projectId }: { readonly host: string; readonly projectId: string }): string =>
  `datastore:${projectId}?endpoint=${host}&namespace=n${randomBytes(8).toString('hex')}`;

export const freshId = (): string => randomBytes(32).toString('base64url');

export const freshRecord = (fields: Partial<StoredRecord> = {}): StoredRecord => ({
  kind: 'access_token',
  id: freshId(),
  payload: '{}',
  expiresAt: new Date(Date.now() + 3_600_000),
  ...fields,
});

export const put = (record: StoredRecord): Write => ({ type: 'put', record });
export const claim = (record: StoredRecord): Write => ({ type: 'claim', record });
export const consume = ({ kind, id, grantId }: StoredRecord): Write => ({
  type: 'consume',
  key: { kind, id, grantId },
  at: new Date(),
});
export const revoke = (grantId: string): Write => ({ type: 'revoke', grantId });

/** The writes of a first login. */
export const loginWrites = () => {
  const grantId = freshId();
  const [code, refresh] = [
    freshRecord({ kind: 'authorization_code', grantId }),
    freshRecord({ kind: 'refresh_token', grantId }),
  ];
  const grant = freshRecord({ kind: 'grant', id: grantId, grantId, subject: 'subject', clientId: 'client' });
  return { grantId, code, refresh, writes: [claim(code), put(grant), put(refresh), put(freshRecord({ grantId }))] };
};
