import { Datastore, v1 } from '@google-cloud/datastore';
import { credentials } from '@grpc/grpc-js';
import type { DatastoreServer } from '../../src/index.ts';

// Otherwise the client asks the network for Google's metadata server first.
process.env.METADATA_SERVER_DETECTION = 'none';

/** Google's client, as an application opens it for an emulator. */
export const openClient = ({ host, projectId }: DatastoreServer): Datastore =>
  new Datastore({ projectId, apiEndpoint: host });

/** The layer below: each request as the API has it. */
export const openApi = ({ port, projectId }: DatastoreServer) =>
  new v1.DatastoreClient({ servicePath: '127.0.0.1', port, projectId, sslCreds: credentials.createInsecure() });

type Api = ReturnType<typeof openApi>;
export type CommitRequest = NonNullable<Parameters<Api['commit']>[0]>;
export type Mutations = NonNullable<CommitRequest['mutations']>;
export type Properties = NonNullable<NonNullable<Mutations[number]['insert']>['properties']>;

/** One transaction of its own, as an adapter commits. */
export const commitOnce = async (api: Api, projectId: string, mutations: Mutations) => {
  const [answer] = await api.commit({
    projectId,
    mode: 'TRANSACTIONAL',
    singleUseTransaction: { readWrite: {} },
    mutations,
  });
  return answer;
};

/** The name of the error's gRPC code, or `none`. */
export const codeOf = async (call: Promise<unknown>): Promise<string> => {
  try {
    await call;
    return 'none';
  } catch (error) {
    return codeNames[(error as { code: number }).code] ?? `${error}`;
  }
};

const codeNames: Readonly<Record<number, string>> = {
  3: 'INVALID_ARGUMENT',
  5: 'NOT_FOUND',
  6: 'ALREADY_EXISTS',
  7: 'PERMISSION_DENIED',
  9: 'FAILED_PRECONDITION',
  10: 'ABORTED',
  12: 'UNIMPLEMENTED',
  14: 'UNAVAILABLE',
};
