import { createServer, type RequestListener } from 'node:http';
import type { RecordKey, StorageAdapter, Write } from '@carnet/adapter-contract';
import { openMemoryAdapter } from '@carnet/adapter-memory';
import {
  type Carnet,
  type ConfigInput,
  type CreateProviderOptions,
  createProvider,
  type RegistrationHook,
} from '@carnet/provider';
import { listen } from '@carnet/test-servers/listen';
import { pino } from 'pino';
import { generateKeys } from '../src/keys/sources/generate-keys.ts';
import { checked } from './answer-check.ts';

/** What a store was asked, call by call. */
export interface Calls {
  readonly reads: (readonly RecordKey[])[];
  readonly commits: (readonly Write[])[];
  /** Those of the commits that a conflict has stopped. */
  readonly stopped: ReadonlySet<readonly Write[]>;
  reset(): void;
  /** Round trips since the last reset. */
  trips(): number;
}

/** Counts the round trips of a store. */
const counting = (adapter: StorageAdapter): { adapter: StorageAdapter; calls: Calls } => {
  const reads: (readonly RecordKey[])[] = [];
  const commits: (readonly Write[])[] = [];
  const stopped = new Set<readonly Write[]>();
  const calls: Calls = {
    reads,
    commits,
    stopped,
    reset: () => {
      reads.length = 0;
      commits.length = 0;
      stopped.clear();
    },
    trips: () => reads.length + commits.length,
  };
  return {
    calls,
    adapter: {
      ...adapter,
      read: (keys) => {
        reads.push(keys);
        return adapter.read(keys);
      },
      commit: async (writes) => {
        commits.push(writes);
        const conflict = await adapter.commit(writes);
        if (conflict !== undefined) stopped.add(writes);
        return conflict;
      },
    },
  };
};

export interface Instance {
  readonly issuer: string;
  readonly admin: string;
  readonly carnet: Carnet;
  readonly calls: Calls;
  readonly adapter: StorageAdapter;
  /** Everything that was logged, as text. */
  readonly log: () => string;
  /** The same, line by line. */
  readonly logLines: readonly string[];
  stop(): Promise<void>;
}

export interface StartOptions {
  readonly config?: Partial<ConfigInput>;
  readonly adapter?: StorageAdapter;
  readonly now?: () => number;
  readonly onSessionEnd?: CreateProviderOptions['onSessionEnd'];
  readonly registrationPolicy?: RegistrationHook;
  readonly hooks?: CreateProviderOptions['hooks'];
  /** Services that hold the signing keys. The configuration has no others then. */
  readonly signers?: CreateProviderOptions['signers'];
  readonly keyWrapper?: CreateProviderOptions['keyWrapper'];
  /** The resources of several issuers in this process. */
  readonly shared?: CreateProviderOptions['shared'];
  readonly issuerName?: string;
  /** The path of the issuer, such as `/op`. */
  readonly path?: string;
  /** Reuse a port: an instance that was restarted. */
  readonly port?: number;
  /** What the public listener calls. Default: `carnet.callback()`. */
  readonly mount?: (carnet: Carnet) => RequestListener;
}

export const loginPage = 'http://login.test/login';
export const consentPage = 'http://login.test/consent';
export const testKeys = generateKeys();
export const testSecret = 'a system secret of the tests, long enough';

/** A provider on real sockets of 127.0.0.1, its store counted, its log kept. */
export const start = async (options: StartOptions = {}): Promise<Instance> => {
  const publicServer = createServer();
  const adminServer = createServer();
  const [publicly, admin] = [await listen(publicServer, options.port), await listen(adminServer)];
  const issuer = `${publicly.origin}${options.path ?? ''}`;
  const { adapter, calls } = counting(options.adapter ?? openMemoryAdapter());
  const lines: string[] = [];
  const logger = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
  const carnet = await createProvider(
    {
      dev: true,
      issuer,
      secrets: { system: [testSecret] },
      keys: options.signers ? { idTokenAlg: 'ES256' } : { jwks: testKeys as never, idTokenAlg: 'ES256' },
      urls: {
        login: loginPage,
        consent: consentPage,
        logout: 'http://login.test/logout',
        error: 'http://login.test/error',
      },
      clientSecrets: { bcryptCost: 4 },
      ...options.config,
    },
    {
      adapter,
      logger,
      now: options.now,
      registrationPolicy: options.registrationPolicy,
      onSessionEnd: options.onSessionEnd,
      hooks: options.hooks,
      signers: options.signers,
      keyWrapper: options.keyWrapper,
      shared: options.shared,
      issuerName: options.issuerName,
    },
  );
  publicServer.on('request', options.mount?.(carnet) ?? carnet.callback());
  const { listener, assertAsDocumented } = checked(carnet.adminCallback());
  adminServer.on('request', listener);
  return {
    issuer,
    admin: admin.origin,
    carnet,
    calls,
    adapter,
    log: () => lines.join(''),
    logLines: lines,
    stop: async () => {
      await Promise.all([publicly.close(), admin.close()]);
      await carnet.close();
      await assertAsDocumented();
    },
  };
};
