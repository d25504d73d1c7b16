import type { StoredRecord } from '@carnet/adapter-contract';
import type { ClientRecord } from '../clients/client-record.ts';
import { tokenEpochOf } from '../clients/registration-id.ts';
import { tokenKeys } from './token-value.ts';

/** The record to store for a token, from the members of oidc-provider's token model. */
export const tokenRecord = (value: string, payload: Readonly<Record<string, unknown>>): StoredRecord => {
  const keys = tokenKeys(value);
  if (keys === undefined) throw new TypeError('token value of an unknown shape');
  const { jti, kind, clientId, accountId, grantId, ...rest } = payload;
  return {
    ...keys.token,
    payload: JSON.stringify(rest),
    expiresAt: new Date((payload.exp as number) * 1000),
    clientId: clientId as string,
    subject: accountId as string | undefined,
  };
};

/** The epoch that an access token was issued in, by the member name that is stored. A number if the client had no registration id. */
export interface StoredEpoch {
  readonly generation?: string | number;
}

/** Whether an access token was issued in the current epoch of its client. */
export const isOfEpoch = (
  client: Pick<ClientRecord, 'registration' | 'tokenRevocations'>,
  { generation = '' }: StoredEpoch,
): boolean => String(generation) === tokenEpochOf(client);
