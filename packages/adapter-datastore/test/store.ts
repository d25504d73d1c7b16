import { randomBytes } from 'node:crypto';

export { claim, consume, freshId, freshRecord, put, revoke } from '../../adapter-contract/src/laws/records.ts';
export { loginWrites } from '../../adapter-contract/test/login-writes.ts';

/** The URL of an empty store on a server: a namespace of its own. */
export const createStore = ({ host, projectId }: { readonly host: string; readonly projectId: string }): string =>
  `datastore:${projectId}?endpoint=${host}&namespace=n${randomBytes(8).toString('hex')}`;
