import { measureRound, type Round } from '../measure.ts';
import { someOf } from '../option-values.ts';
import { clientCredentials, clientCredentialsJwt } from '../scenarios/client-credentials.ts';
import { introspection, introspectionJwt } from '../scenarios/introspection.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { refresh, refreshJwt, userinfo, userinfoJwt } from '../scenarios/tokens.ts';
import { medianOf } from '../statistics.ts';
import { startCarnetTarget } from '../targets/carnet.ts';
import { type StoreName, storeNames } from '../targets/stores.ts';
import type { Target } from '../targets/target.ts';
import { note, rounded, type Study, type Table } from './study.ts';

const scenarios: readonly Scenario[] = [
  introspection,
  introspectionJwt,
  clientCredentials,
  clientCredentialsJwt,
  userinfo,
  userinfoJwt,
  refresh,
  refreshJwt,
];

const measure = async (target: Target, scenario: Scenario, rounds: number): Promise<Round> => {
  const work = await scenario.prepare(target);
  await measureRound(target, work, scenario);
  const measured: Round[] = [];
  while (measured.length < rounds) measured.push(await measureRound(target, work, scenario));
  return medianOf(measured);
};

const measureStore = async (store: StoreName, workers: number, rounds: number): Promise<readonly Round[]> => {
  const target = await startCarnetTarget({ store, workers });
  try {
    const column: Round[] = [];
    for (const scenario of scenarios) {
      note(`${store}: ${scenario.title}`);
      column.push(await measure(target, scenario, rounds));
    }
    return column;
  } finally {
    await target.stop();
  }
};

/** Each store with each type of access token. */
export const matrix: Study = {
  name: 'matrix',
  title: 'p95 in milliseconds by store and type of token',
  options: { store: storeNames.join(','), workers: '2', rounds: '3' },
  async run({ store = '', workers, rounds }) {
    const names = someOf('store', store, storeNames);
    const columns: (readonly Round[])[] = [];
    for (const name of names) columns.push(await measureStore(name, Number(workers), Number(rounds)));
    const gridOf = (title: string, of: (round: Round) => number): Table => [
      [title, ...names],
      ...scenarios.map((scenario, row) => [
        scenario.title,
        ...columns.map((column) => rounded(of(column[row] as Round))),
      ]),
    ];
    return {
      tables: [gridOf('p95, ms', ({ p95 }) => p95), gridOf('CPU, microseconds', ({ serverCpu }) => serverCpu)],
    };
  },
};
