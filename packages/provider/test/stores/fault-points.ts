// Runs in the provider's process: stops requests at their steps, and ends the process when enough of them stand still.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { partsOf, type RecordKey, type StorageAdapter, type Write } from '@carnet/adapter-contract';

/** A request that was stopped for good, and the tokens it had written or was writing by then. */
export interface Held {
  readonly id: string;
  readonly tokens: readonly RecordKey[];
}

/** One request on its way. */
interface Journey extends Held {
  /** The step it goes no further than. */
  readonly stopAt: string | undefined;
  /** Those it has passed. */
  readonly steps: string[];
  readonly tokens: RecordKey[];
  reads: number;
  commits: number;
}

export interface FaultPoints {
  /** The same store, with steps before, during and after what it is asked. */
  store(store: StorageAdapter): StorageAdapter;
  /** The same listener: a request says with `x-stop-at` and `x-case` where it stops, a response with `x-steps` how it went. */
  listener(listener: RequestListener): RequestListener;
  /** Call `end` when so many requests have come to their stops. */
  expect(count: number): void;
}

const lastStep = 'after headers';
const tokenKinds = new Set(['access_token', 'refresh_token', 'client_credentials']);

const tokensIn = (writes: readonly Write[]): RecordKey[] =>
  writes.flatMap((write) => (write.type === 'put' && tokenKinds.has(write.record.kind) ? [write.record] : []));

type Launch = () => Promise<unknown>;

/** Sends all off; resolves when the first is done, or nothing is to be waited for. */
const launchAll = (launches: readonly Launch[]): Promise<unknown> =>
  launches.length === 0 ? Promise.resolve() : Promise.race(launches.map((each) => each()));

type Pass = (journey: Journey, step: string, launch?: Launch) => Promise<void>;

/** Where requests stand still until there are as many as expected. */
const createStops = (end: (held: readonly Held[], launch: Launch) => void) => {
  const held: Held[] = [];
  const launches: Launch[] = [];
  let expected = 0;
  const stop = ({ id, tokens }: Held, launch?: Launch): Promise<never> => {
    held.push({ id, tokens: tokens.map(({ kind, id, grantId }) => ({ kind, id, grantId })) });
    if (launch !== undefined) launches.push(launch);
    if (held.length === expected) end(held, () => launchAll(launches));
    return new Promise(() => {});
  };
  const pass: Pass = async (journey, step, launch) => {
    journey.steps.push(step);
    if (journey.stopAt === step) await stop(journey, launch);
  };
  const expect = (count: number): void => {
    expected = count;
  };
  return { stop, pass, expect };
};

const readInSteps = async (store: StorageAdapter, keys: readonly RecordKey[], journey: Journey, pass: Pass) => {
  const number = ++journey.reads;
  await pass(journey, `before read ${number}`);
  const records = await store.read(keys);
  await pass(journey, `after read ${number}`);
  return records;
};

const commitInSteps = async (store: StorageAdapter, writes: readonly Write[], journey: Journey, pass: Pass) => {
  const number = ++journey.commits;
  await pass(journey, `before commit ${number}`);
  journey.tokens.push(...tokensIn(writes));
  await pass(journey, `during commit ${number}`, () => store.commit(writes));
  const conflict = await store.commit(writes);
  await pass(journey, `after commit ${number}`);
  return conflict;
};

/** What a commit is carried out as: in a store that is atomic for one grant only, part by part. */
const commitsOf = ({ capabilities }: StorageAdapter, writes: readonly Write[]) =>
  capabilities.atomicCommit === 'all' ? [writes] : partsOf(writes);

const journeyOf = ({ headers }: IncomingMessage): Journey | undefined => {
  const { 'x-case': id, 'x-stop-at': stopAt } = headers;
  if (typeof id !== 'string') return undefined;
  return { id, stopAt: stopAt?.toString(), steps: [], tokens: [], reads: 0, commits: 0 };
};

/** Tells in the response how the request went; `stop` is called between its headers and its body. */
const endInSteps = (response: ServerResponse, journey: Journey, stop: (journey: Journey) => unknown): void => {
  const begin = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse;
  const finish = response.end.bind(response) as (...args: unknown[]) => ServerResponse;
  const tell = () => {
    if (!response.headersSent) response.setHeader('x-steps', JSON.stringify([...journey.steps, lastStep]));
  };
  response.writeHead = ((...args: unknown[]) => {
    tell();
    return begin(...args);
  }) as ServerResponse['writeHead'];
  response.end = ((...args: unknown[]) => {
    tell();
    if (journey.stopAt !== lastStep) return finish(...args);
    response.flushHeaders();
    stop(journey);
    return response;
  }) as ServerResponse['end'];
};

/**
 * `end` is called once, with all requests that stand still. Those that stop during a commit stand before it until
 * `launch` is called, which resolves when the first of these commits is done: the others are under way.
 */
export const createFaultPoints = (end: (held: readonly Held[], launch: Launch) => void): FaultPoints => {
  const journeys = new AsyncLocalStorage<Journey>();
  const { stop, pass, expect } = createStops(end);
  return {
    expect,
    listener: (listener) => (request, response) => {
      const journey = journeyOf(request);
      if (journey === undefined) return listener(request, response);
      endInSteps(response, journey, stop);
      journeys.run(journey, () => listener(request, response));
    },
    store: (store) => ({
      ...store,
      read(keys) {
        const journey = journeys.getStore();
        // Of the clients many requests share a read: it is no step of one of them.
        const isShared = keys.every(({ kind }) => kind === 'client');
        return journey === undefined || isShared ? store.read(keys) : readInSteps(store, keys, journey, pass);
      },
      async commit(writes) {
        const journey = journeys.getStore();
        if (journey === undefined) return store.commit(writes);
        for (const part of commitsOf(store, writes)) {
          const conflict = await commitInSteps(store, part, journey, pass);
          if (conflict !== undefined) return conflict;
        }
        return undefined;
      },
    }),
  };
};
