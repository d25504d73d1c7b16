import { measureRound, type Round } from '../measure.ts';
import { numberOf, someOf } from '../option-values.ts';
import { clientCredentials, clientCredentialsJwt } from '../scenarios/client-credentials.ts';
import { fetchClient, listClients } from '../scenarios/clients.ts';
import { introspection, introspectionJwt } from '../scenarios/introspection.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { medianOf } from '../statistics.ts';
import { startCarnetTarget } from '../targets/carnet.ts';
import { type SigningServiceOptions, startSigningService } from '../targets/signing-service.ts';
import type { StoreName } from '../targets/stores.ts';
import type { RunningTarget, Target } from '../targets/target.ts';
import { note, rounded, type Study, type Table } from './study.ts';

interface Variant {
  readonly store: StoreName;
  /** JWTs are signed with a local key, or by a service. */
  readonly tokens: 'opaque' | 'jwt' | SigningServiceOptions['service'];
}

/** The first six are the columns of hydra-gcp's table. */
const variants = {
  'memory/opaque': { store: 'memory', tokens: 'opaque' },
  'memory/jwt': { store: 'memory', tokens: 'jwt' },
  'memory/iam': { store: 'memory', tokens: 'gcpiam' },
  'postgres/opaque': { store: 'postgres', tokens: 'opaque' },
  'datastore/opaque': { store: 'datastore', tokens: 'opaque' },
  'datastore/iam': { store: 'datastore', tokens: 'gcpiam' },
  'sqlite/opaque': { store: 'sqlite', tokens: 'opaque' },
  'redis/opaque': { store: 'redis', tokens: 'opaque' },
  'memory/pkcs11': { store: 'memory', tokens: 'pkcs11' },
  'memory/awskms': { store: 'memory', tokens: 'awskms' },
} satisfies Readonly<Record<string, Variant>>;
type VariantName = keyof typeof variants;
const variantNames = Object.keys(variants) as VariantName[];

const scenariosOf = ({ tokens }: Variant): readonly Scenario[] =>
  tokens === 'opaque'
    ? [introspection, clientCredentials, listClients, fetchClient]
    : [introspectionJwt, clientCredentialsJwt, listClients, fetchClient];

/** Whether a stand-in with a latency of choice is a part of it. */
const hasLatency = ({ store, tokens }: Variant): boolean => store === 'datastore' || tokens === 'gcpiam';

interface Amounts {
  readonly requests: number;
  readonly rounds: number;
  readonly workers: number;
}

/** A round takes about so many seconds at most: a slow service gets fewer requests. */
const mostSeconds = 12;

const measure = async (target: Target, scenario: Scenario, { requests, rounds }: Amounts): Promise<Round> => {
  const { connections } = scenario;
  const work = await scenario.prepare(target);
  const warmUp = Math.max(connections, Math.ceil(requests / 8));
  await measureRound(target, work, { connections, amount: warmUp });
  const { perSecond } = await measureRound(target, work, { connections, amount: warmUp });
  const amount = Math.max(connections, Math.min(requests, Math.ceil(perSecond * mostSeconds)));
  const measured: Round[] = [];
  while (measured.length < rounds) measured.push(await measureRound(target, work, { connections, amount }));
  return medianOf(measured);
};

/** Starts Carnet with the store and the service. Stopping it stops both. */
const start = async ({ store, tokens }: Variant, latencyMs: number, workers: number): Promise<RunningTarget> => {
  const common = { store, workers, storeLatencyMs: latencyMs };
  if (tokens === 'opaque' || tokens === 'jwt') return startCarnetTarget(common);
  const service = await startSigningService({ service: tokens, latencyMs });
  const env = {
    KEYS_SOURCE: 'external',
    SIGNER: service.signer,
    ID_TOKEN_ALG: service.alg,
    // A slow signature is measured and not refused.
    KEYS_SIGNER_TIMEOUT_MS: '30000',
    ...service.env,
  };
  const starting = startCarnetTarget({ ...common, env });
  const target = await starting.catch(async (error: unknown) => {
    await service.stop();
    throw error;
  });
  return {
    ...target,
    stop: async () => {
      await target.stop();
      await service.stop();
    },
  };
};

interface Row {
  readonly name: VariantName;
  readonly latency: string;
  readonly rounds: readonly Round[];
}

const measureVariant = async (name: VariantName, latencyMs: number, amounts: Amounts): Promise<Row> => {
  const latency = hasLatency(variants[name]) ? String(latencyMs) : '';
  const target = await start(variants[name], latencyMs, amounts.workers);
  try {
    const rounds: Round[] = [];
    for (const scenario of scenariosOf(variants[name])) {
      const round = await measure(target, scenario, amounts);
      note(`${name} ${latency && `${latency} ms `}${scenario.title}: p95 ${rounded(round.p95)} ms`);
      rounds.push(round);
    }
    return { name, latency, rounds };
  } finally {
    await target.stop();
  }
};

const tableOfRows = (title: string, rows: readonly Row[], of: (round: Round) => number): Table => [
  [title, 'latency, ms', 'introspection', 'client credentials', 'listing clients', 'fetching a client'],
  ...rows.map(({ name, latency, rounds }) => [name, latency, ...rounds.map((round) => rounded(of(round)))]),
];

const latenciesOf = (text: string): readonly number[] =>
  text.split(',').map((each) => (each === '0' ? 0 : numberOf('latency', each, 10_000)));

/** The table by which hydra-gcp describes itself, with more stores and services. */
export const matrix: Study = {
  name: 'matrix',
  title:
    'p95 of introspection, client credentials (bcrypt 8), listing and fetching clients by store and signer, 100 at once',
  options: { variants: variantNames.join(','), latency: '0,10,30', requests: '10000', workers: '2', rounds: '3' },
  takesScenarios: true,
  async run({ variants: chosen = '', latency = '', requests, workers, rounds }, { isQuick }) {
    const names = someOf('variants', chosen, variantNames);
    const latencies = latenciesOf(latency);
    const amounts = {
      requests: Number(requests) / (isQuick ? 10 : 1),
      rounds: isQuick ? 1 : Number(rounds),
      workers: Number(workers),
    };
    const rows: Row[] = [];
    for (const name of names) {
      for (const latencyMs of hasLatency(variants[name]) ? latencies : [0]) {
        rows.push(await measureVariant(name, latencyMs, amounts));
      }
    }
    return {
      tables: [
        tableOfRows('p95, ms', rows, ({ p95 }) => p95),
        tableOfRows('requests/s', rows, ({ perSecond }) => perSecond),
        tableOfRows('CPU of Carnet, us', rows, ({ serverCpu }) => serverCpu),
      ],
    };
  },
};
