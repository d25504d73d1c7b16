import { head, measureTrial, startCountingPostgres, type Trial } from './count-postgres.ts';
import { note, type Study } from './study.ts';

const stored = { OIDC_STORED_FLOW_STATE: 'true' };
const toTheEnd: Trial['person'] = (logins) => logins.run();
/** Nine of ten close the consent page. */
const mostlyAbandoned: Trial['person'] = (logins, index) => (index % 10 === 0 ? logins.run() : logins.abandon());

const flowStates: readonly Trial[] = [
  { title: 'sealed', person: toTheEnd },
  { title: 'stored', person: toTheEnd, env: stored },
  { title: 'sealed, 90 % abandoned', person: mostlyAbandoned },
  { title: 'stored, 90 % abandoned', person: mostlyAbandoned, env: stored },
];

const secondaryIndexes = ['carnet_record_expires', 'carnet_record_subject', 'carnet_record_listed'];

const indexTrials: readonly Trial[] = [
  { title: 'with all indexes', person: toTheEnd },
  {
    title: 'with its primary key alone',
    person: toTheEnd,
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

/** The same server, with what travels and what is stored exchanged. */
export const flowState = comparing(
  'flow-state',
  'Logins whose state travels sealed, or is stored (Postgres)',
  flowStates,
);

/** What the indexes for listing and sweeping cost those who log in. */
export const indexes = comparing('indexes', 'Logins with and without the secondary indexes (Postgres)', indexTrials);
