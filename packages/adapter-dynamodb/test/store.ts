import { hash, randomBytes } from 'node:crypto';
import type { RecordKey } from '@carnet/adapter-contract';
import { openMigrator } from '@carnet/adapter-dynamodb';
import { loginWrites as simpleLogin } from '../../adapter-contract/test/login-writes.ts';

export {
  claim,
  consume,
  freshGrant,
  freshId,
  freshRecord,
  merge,
  put,
  remove,
  revoke,
} from '../../adapter-contract/src/laws/records.ts';

/** The writes of a first login, with the id of the grant's record as the provider derives it. */
export const loginWrites = () => {
  const login = simpleLogin();
  const { grantId, writes } = login;
  const grant = grantKey(grantId);
  const withGrant = writes.map((write) =>
    write.type === 'put' && write.record.kind === 'grant' ? { ...write, record: { ...write.record, ...grant } } : write,
  );
  return { ...login, grant, writes: withGrant };
};

/** The key of a grant's record, as the provider derives it. */
export const grantKey = (grantId: string): RecordKey & { readonly grantId: string } => ({
  kind: 'grant',
  id: hash('sha256', grantId, 'base64url'),
  grantId,
});

/** Puts credentials where the default chain of the AWS SDK looks first. A server of the environment has its own. */
export const useCredentials = (): void => {
  if (process.env.CARNET_DYNAMODB_ENDPOINT) return;
  process.env.AWS_ACCESS_KEY_ID = 'AKIAEXAMPLE';
  process.env.AWS_SECRET_ACCESS_KEY = 'hunter2';
};

/** The URL of an empty store on a server: a table of its own. */
export const createStore = async (server: { url(table: string): string }, parameters = ''): Promise<string> => {
  useCredentials();
  const url = server.url(`t${randomBytes(8).toString('hex')}`) + parameters;
  const migrator = await openMigrator({ url });
  await migrator.up();
  await migrator.close();
  return url;
};
