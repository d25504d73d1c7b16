import { head, measureTrial, startCountingPostgres, type Trial } from './count-postgres.ts';
import { note, type Study } from './study.ts';

/** Options of Node for a server that stores the state at each step. */
const stored = ['--import', new URL('../targets/with-stored-flow-state.ts', import.meta.url).href];
const toTheEnd: Trial['user'] = (logins) => logins.run();
/** Nine of ten close the consent page. */
const mostlyAbandoned: Trial['user'] = (logins, index) => (index % 10 === 0 ? logins.run() : logins.abandon());

const flowStates: readonly Trial[] = [
  { title: 'sealed', user: toTheEnd },
  { title: 'stored', user: toTheEnd, nodeOptions: stored },
  { title: 'sealed, 90 % abandoned', user: mostlyAbandoned },
  { title: 'stored, 90 % abandoned', user: mostlyAbandoned, nodeOptions: stored },
];

const secondaryIndexes = ['carnet_record_expires', 'carnet_record_subject', 'carnet_record_listed'];

const indexTrials: readonly Trial[] = [
  { title: 'with all indexes', user: toTheEnd },
  {
    title: 'with its primary key alone',
    user: toTheEnd,
    prepare: secondaryIndexes.map((name) => `drop index ${name}`),
  },
];

const comparing = (name: string, title: string, trials: readonly Trial[]): Study => ({
  name,
  title,
  options: { logins: '4000', workers: '2' },
  async run({ logins, workers }) {
    const amounts = { amount: Number(logins), warmUp: Math.ceil(Number(logins) / 4), workers: Number(workers) };
    const server = await startCountingPostgres();
    try {
      const rows = [head];
      for (const trial of trials) {
        note(trial.title);
        rows.push(await measureTrial(server, trial, amounts));
      }
      return { tables: [rows] };
    } finally {
      await server.close();
    }
  },
});

/** The same server, with the flow state in the browser or in the store. */
export const flowState = comparing(
  'flow-state',
  'Logins whose state is sealed in the browser, or stored (Postgres)',
  flowStates,
);

/** The cost of the indexes for listing and sweeping, per login. */
export const indexes = comparing('indexes', 'Logins with and without the secondary indexes (Postgres)', indexTrials);
