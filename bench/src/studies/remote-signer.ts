import { measureRound, type Round } from '../measure.ts';
import { numberOf, oneOf } from '../option-values.ts';
import { clientCredentialsJwt } from '../scenarios/client-credentials.ts';
import { medianOf } from '../statistics.ts';
import { startCarnetTarget } from '../targets/carnet.ts';
import { signingServices, startSigningService } from '../targets/signing-service.ts';
import { type StoreName, storeNames } from '../targets/stores.ts';
import type { Target } from '../targets/target.ts';
import { note, type Reading, rounded, type Study } from './study.ts';

const measure = async (target: Target, amount: number, rounds: number): Promise<Round> => {
  const load = { amount, connections: clientCredentialsJwt.connections };
  const work = await clientCredentialsJwt.prepare(target);
  await measureRound(target, work, load);
  const measured: Round[] = [];
  while (measured.length < rounds) {
    measured.push(await measureRound(target, work, load));
    note(`round ${measured.length} of ${rounds}: ${rounded(measured.at(-1)?.perSecond ?? 0)} tokens/s`);
  }
  return medianOf(measured);
};

const rowOf = (latencyMs: number, round: Round, possible: number): readonly string[] => {
  const { perSecond, p50, p95, serverCpu, storeCpu, generatorCpu } = round;
  const figures = [perSecond, possible, (100 * perSecond) / possible, p50, p95, serverCpu, storeCpu, generatorCpu];
  return [`${latencyMs} ms`, ...figures.map(rounded)];
};

/** The young generation that `carnet serve --workers` sets with external keys, for one worker as well (docs/operate/keys.md). */
const memory = { NODE_OPTIONS: '--max-semi-space-size=16' };

type ServiceName = (typeof signingServices)[number];

interface Server {
  readonly service: ServiceName;
  readonly store: StoreName;
  readonly workers: number;
}

/** Starts a service of this latency and a server that signs by it, and measures tokens. */
const measureAt = async (
  latencyMs: number,
  { service: name, store, workers }: Server,
  { amount, rounds }: { readonly amount: number; readonly rounds: number },
): Promise<Round> => {
  note(`${name}, ${latencyMs} ms`);
  const service = await startSigningService({ service: name, latencyMs });
  const env = { ...memory, KEYS_SOURCE: 'external', SIGNER: service.signer, ID_TOKEN_ALG: service.alg, ...service.env };
  const target = await startCarnetTarget({ store, workers, env });
  try {
    // The CPU time of the service takes the place of the store's.
    return await measure({ ...target, storeProcessIds: [service.processId] }, amount, rounds);
  } finally {
    await target.stop();
    await service.stop();
  }
};

/**
 * JWT access tokens that a service signs. The possible rate is the lower of two: that which the connections and the latency allow, and
 * that which server, service and load, which share the machine, reach without a latency.
 */
export const remoteSigner: Study = {
  name: 'remote-signer',
  title: 'client_credentials with JWT access tokens, 100 connections, signed by a service of a set latency',
  options: { service: 'gcpkms', latency: '30', store: 'memory', workers: '1', amount: '20000', rounds: '5' },
  async run({ service = '', latency = '', store = '', workers = '', amount = '', rounds = '' }) {
    const latencyMs = numberOf('latency', latency, 10_000);
    const server: Server = {
      service: oneOf('service', service, signingServices),
      store: oneOf('store', store, storeNames),
      workers: Number(workers),
    };
    const load = { amount: Number(amount), rounds: Number(rounds) };
    const machine = await measureAt(0, server, load);
    const rows = [rowOf(0, machine, machine.perSecond)];
    const readings: Reading[] = [];
    if (latencyMs > 0) {
      const round = await measureAt(latencyMs, server, load);
      const possible = Math.min((clientCredentialsJwt.connections * 1_000) / latencyMs, machine.perSecond);
      rows.push(rowOf(latencyMs, round, possible));
      const value = 100 - (100 * round.perSecond) / possible;
      readings.push({ name: 'tokens signed remotely', target: `${service}, ${latency} ms, ${store}`, value });
    }
    const times = ['p50 ms', 'p95 ms', 'server CPU us', 'service CPU us', 'load CPU us'];
    return { tables: [[['latency', 'tokens/s', 'possible', '%', ...times], ...rows]], readings };
  },
};
