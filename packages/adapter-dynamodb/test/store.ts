import { randomBytes } from 'node:crypto';
import { openMigrator } from '@carnet/adapter-dynamodb';

export {
  claim,
  consume,
  freshId,
  freshRecord,
  merge,
  put,
  remove,
  revoke,
} from '../../adapter-contract/src/laws/records.ts';
export { loginWrites } from '../../adapter-contract/test/login-writes.ts';

/** Puts credentials where the default chain of the AWS SDK looks first. */
export const useCredentials = (): void => {
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
