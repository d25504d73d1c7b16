import { measureRound, type Round } from '../measure.ts';
import { numberOf, oneOf } from '../option-values.ts';
import { clientCredentialsJwt } from '../scenarios/client-credentials.ts';
import { medianOf } from '../statistics.ts';
import { startCarnetTarget } from '../targets/carnet.ts';
import { signingServices, startSigningService } from '../targets/signing-service.ts';
import { storeNames } from '../targets/stores.ts';
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

/** As docs/operate/keys.md advises: requests that wait for a service outlive the young generation of 2 MB. */
const memory = { NODE_OPTIONS: '--max-semi-space-size=16' };

/** JWT access tokens that a service signs. Its answers take so long that the number of connections limits the rate. */
export const remoteSigner: Study = {
  name: 'remote-signer',
  title: 'client_credentials with JWT access tokens, 100 connections, signed by a service of a set latency',
  options: { service: 'gcpkms', latency: '30', store: 'memory', workers: '1', amount: '20000', rounds: '5' },
  async run({ service: name = '', latency = '', store = '', workers = '', amount = '', rounds = '' }) {
    const latencyMs = numberOf('latency', latency, 10_000);
    const service = await startSigningService({ service: oneOf('service', name, signingServices), latencyMs });
    const env = {
      ...memory,
      KEYS_SOURCE: 'external',
      SIGNER: service.signer,
      ID_TOKEN_ALG: service.alg,
      ...service.env,
    };
    const target = await startCarnetTarget({ store: oneOf('store', store, storeNames), workers: Number(workers), env });
    // The CPU time of the service takes the place of the store's.
    const watched = { ...target, storeProcessIds: [service.processId] };
    try {
      const round = await measure(watched, Number(amount), Number(rounds));
      const possible = latencyMs === 0 ? undefined : (clientCredentialsJwt.connections * 1_000) / latencyMs;
      const share = possible === undefined ? undefined : (100 * round.perSecond) / possible;
      const readings: readonly Reading[] =
        share === undefined
          ? []
          : [{ name: 'tokens signed remotely', target: `${name}, ${latency} ms, ${target.name}`, value: 100 - share }];
      return {
        tables: [
          [
            [
              'service',
              'latency',
              'workers',
              'tokens/s',
              'possible',
              '%',
              'p50 ms',
              'p95 ms',
              'server CPU us',
              'service CPU us',
              'load CPU us',
            ],
            [
              name,
              `${latency} ms`,
              String(target.settings.workers),
              ...[round.perSecond, possible ?? Number.NaN, share ?? Number.NaN, round.p50, round.p95].map(rounded),
              ...[round.serverCpu, round.storeCpu, round.generatorCpu].map(rounded),
            ],
          ],
        ],
        readings,
      };
    } finally {
      await target.stop();
      await service.stop();
    }
  },
};
