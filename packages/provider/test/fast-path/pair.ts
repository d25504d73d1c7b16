import type { StorageAdapter } from '@carnet/adapter-contract';
import { openMemoryAdapter } from '@carnet/adapter-memory';
import { Provider } from 'oidc-provider';
import { vi } from 'vitest';
import { type Instance, type StartOptions, start } from '../harness.ts';
import { differencesOf } from './difference.ts';
import type { Mask } from './mask.ts';
import { type Observed, observe } from './observe.ts';
import type { RawHttp, RawHttpAnswer } from './raw-http.ts';

// Thousands of requests to two instances: on a busy machine that takes its time.
vi.setConfig({ testTimeout: 120_000 });

export type Side = 'fast' | 'library';

export interface BothAnswers {
  readonly request: RawHttp;
  readonly fast: RawHttpAnswer;
  readonly library: RawHttpAnswer;
  /** oidc-provider had no part in the fast side's answer. */
  readonly isFast: boolean;
  /** Where the answers, or what came of them, are not the same; nothing where there is no difference. */
  readonly difference: string | undefined;
}

/**
 * Two instances of one issuer, with the same secrets, keys, clock and stored records, one of them without the fast path.
 * What is sealed or signed by one is opened by the other.
 */
export interface Pair {
  readonly issuer: string;
  /**
   * Has clients registered, people log in and so on, at the instance without the fast path. What comes of it stands in
   * both stores.
   */
  arrange<T>(what: (instance: Instance) => Promise<T>): Promise<T>;
  /** The same request to both; or for each side one of its own, such as with a token that it has issued. */
  bothAnswer(request: RawHttp | ((side: Side) => RawHttp)): Promise<BothAnswers>;
  /** Both clocks stand still, but for this. */
  passTime(seconds: number): void;
  /** The instances, for what has to be looked at besides. */
  readonly sides: Readonly<Record<Side, Instance>>;
  /** Throws when the metrics of both do not count the same requests and audit records. */
  assertSameMetrics(): Promise<void>;
  stop(): Promise<void>;
}

export interface PairOptions extends Omit<StartOptions, 'now' | 'adapter'> {
  /** Hides what is random besides tokens, JWTs and request ids. Given JSON as well as texts. */
  readonly mask?: Mask;
  /** The store of one side. Default: one in memory. */
  readonly openAdapter?: (side: Side) => StorageAdapter;
}

/** The store of the library; what is arranged is written to the other as well. */
const mirroring = (own: StorageAdapter, other: StorageAdapter) => {
  let isOn = false;
  const adapter: StorageAdapter = {
    ...own,
    async commit(writes) {
      if (isOn) await other.commit(writes);
      return own.commit(writes);
    },
  };
  return {
    adapter,
    during: async <T>(call: () => Promise<T>): Promise<T> => {
      isOn = true;
      try {
        return await call();
      } finally {
        isOn = false;
      }
    },
  };
};

/** Counters by their labels: what was answered and what was accounted for. */
const countersOf = async ({ carnet }: Instance): Promise<Readonly<Record<string, number>>> => {
  type Metric = { name: string; values: { labels: object; value: number; metricName?: string }[] };
  const counted = /^(http_server_request_duration_seconds_count|carnet_audit_events_total)$/;
  const values = ((await carnet.metrics()) as readonly Metric[]).flatMap(({ name, values }) =>
    values
      .filter(({ metricName = name }) => counted.test(metricName))
      .map((each) => [JSON.stringify([each.metricName ?? name, each.labels]), each.value] as const),
  );
  return Object.fromEntries(values);
};

const changedBetween = (before: Readonly<Record<string, number>>, after: Readonly<Record<string, number>>) =>
  Object.fromEntries(
    Object.entries(after)
      .map(([name, value]) => [name, value - (before[name] ?? 0)] as const)
      .filter(([, value]) => value !== 0),
  );

/** Starts both; their clock stands still until `stop`. */
export const startPair = async ({ mask, openAdapter, config, ...options }: PairOptions = {}): Promise<Pair> => {
  vi.useFakeTimers({ toFake: ['Date'], now: Math.floor(Date.now() / 1000) * 1000 });
  // Every request that oidc-provider works on passes here. Before it is put to work: it keeps the method.
  const served = vi.spyOn(Provider.prototype as unknown as { createContext(): unknown }, 'createContext');
  const open = openAdapter ?? (() => openMemoryAdapter());
  const stores = { fast: open('fast'), library: open('library') };
  const mirror = mirroring(stores.library, stores.fast);
  const library = await start({
    ...options,
    config: { ...config, oidc: { ...config?.oidc, fastPath: false } },
    adapter: mirror.adapter,
  });
  const { issuer } = library;
  const fast = await start({ ...options, config: { ...config, issuer }, adapter: stores.fast });
  const sides = { fast, library };
  const before = { fast: await countersOf(fast), library: await countersOf(library) };
  let arranged: Readonly<Record<string, number>> = {};

  const compare = (request: RawHttp, seen: Readonly<Record<Side, Observed>>, isFast: boolean): BothAnswers => {
    const differences = [...differencesOf(seen.fast.comparable, seen.library.comparable)];
    if (isFast && seen.fast.trips > seen.library.trips) differences.push('more round trips to the store');
    const text = `${JSON.stringify(request)}\n${differences.join('\n')}`;
    return {
      request,
      fast: seen.fast.answer,
      library: seen.library.answer,
      isFast,
      difference: differences.length === 0 ? undefined : text,
    };
  };

  return {
    issuer,
    sides,
    arrange: async (what) => {
      const from = await countersOf(library);
      try {
        return await mirror.during(() => what(library));
      } finally {
        const more = changedBetween(from, await countersOf(library));
        arranged = Object.fromEntries(
          [...new Set([...Object.keys(arranged), ...Object.keys(more)])].map((name) => [
            name,
            (arranged[name] ?? 0) + (more[name] ?? 0),
          ]),
        );
      }
    },
    async bothAnswer(request) {
      const requestOf = typeof request === 'function' ? request : () => request;
      const requests = { fast: requestOf('fast'), library: requestOf('library') };
      const ask = (side: Side) => observe(sides[side], { host: new URL(issuer).host, request: requests[side], mask });
      served.mockClear();
      const seenFast = await ask('fast');
      const isFast = served.mock.calls.length === 0;
      return compare(requests.fast, { fast: seenFast, library: await ask('library') }, isFast);
    },
    passTime: (seconds) => void vi.setSystemTime(Date.now() + seconds * 1000),
    async assertSameMetrics() {
      const ofFast = changedBetween(before.fast, await countersOf(fast));
      const ofLibrary = changedBetween(arranged, changedBetween(before.library, await countersOf(library)));
      const differences = differencesOf(ofFast, ofLibrary);
      if (differences.length > 0) throw new Error(`the metrics differ:\n${differences.join('\n')}`);
    },
    async stop() {
      served.mockRestore();
      await Promise.all([fast.stop(), library.stop()]);
      vi.useRealTimers();
    },
  };
};
