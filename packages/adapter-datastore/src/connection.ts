import { type Deadline, millisecondsUntil, within } from '@carnet/adapter-contract/kit';
import { Datastore, v1 } from '@google-cloud/datastore';
import type { Address } from './address.ts';
import { explain, isSilence } from './faults.ts';
import type { Messages, Method } from './wire.ts';

/** Sends one request and resolves with its response. */
export interface Connection {
  call<M extends Method>(method: M, request: Messages[M][0], deadline: Deadline): Promise<Messages[M][1]>;
  close(): Promise<void>;
}

type Call = (request: object, options: object) => Promise<[never]>;

/** A client of the service, which has a TCP connection of its own. */
interface Client {
  readonly calls: { readonly [M in Method]: Call } & { close(): Promise<void> };
  underWay: number;
  /** When the last response came, by the monotonic clock. */
  lastAnswerAt: number;
  isReplaced: boolean;
}

const channelOptions = {
  // A client that replaces a silent one must not get its TCP connection.
  'grpc.use_local_subchannel_pool': 1,
  'grpc.initial_reconnect_backoff_ms': 50,
  'grpc.max_reconnect_backoff_ms': 1_000,
};

/** The client knows DATASTORE_EMULATOR_HOST, and that an emulator has neither TLS nor credentials. */
const clientOptions = ({ projectId, endpoint }: Address) => {
  const { options } = new Datastore({ projectId, ...(endpoint !== undefined && { apiEndpoint: endpoint }) });
  return { options, isEmulator: options.sslCreds !== undefined };
};

const openClient = (address: Address): Client => {
  const { options, isEmulator } = clientOptions(address);
  const calls = new v1.DatastoreClient({
    ...options,
    ...channelOptions,
    // Otherwise it looks for credentials, to learn the domain from them.
    ...(isEmulator && { clientOptions: { universe_domain: 'googleapis.com' } as object }),
  });
  return { calls: calls as unknown as Client['calls'], underWay: 0, lastAnswerAt: 0, isReplaced: false };
};

/**
 * Opens a connection, lazily. One that does not answer is replaced: a network that swallows packets would otherwise keep
 * it in use for as long as TCP repeats them.
 */
export const openConnection = (address: Address): Connection => {
  const { projectId, databaseId } = address;
  let current = openClient(address);
  const underWay = new Set<Promise<unknown>>();

  const release = async (client: Client): Promise<void> => {
    if (client.isReplaced && client.underWay === 0) await client.calls.close();
  };

  const replace = (client: Client): void => {
    if (client !== current) return;
    client.isReplaced = true;
    current = openClient(address);
  };

  const send = async (client: Client, method: Method, request: object, deadline: Deadline): Promise<never> => {
    // The adapter decides what is repeated; `retry: null` switches the repetitions of the client off.
    const options = { timeout: Math.ceil(millisecondsUntil(deadline)), retry: null };
    const [response] = await within(deadline, client.calls[method]({ projectId, databaseId, ...request }, options));
    client.lastAnswerAt = performance.now();
    return response;
  };

  return {
    async call(method, request, deadline) {
      const client = current;
      const sentAt = performance.now();
      client.underWay += 1;
      const sending = send(client, method, request, deadline);
      underWay.add(sending);
      try {
        return await sending;
      } catch (error) {
        if (isSilence(error) && client.lastAnswerAt < sentAt) replace(client);
        throw explain(error);
      } finally {
        underWay.delete(sending);
        client.underWay -= 1;
        void release(client);
      }
    },
    async close() {
      await Promise.allSettled(underWay);
      await current.calls.close();
    },
  };
};
