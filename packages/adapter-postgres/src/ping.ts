import { StoreUnfitError } from '@carnet/adapter-contract';
import { stepNames } from './migrations/step-names.ts';
import { createStatement, isolationGuard } from './statements.ts';

export const pingStatement = createStatement(
  'carnet_ping',
  `select current_setting('transaction_read_only'), current_setting('synchronous_commit', true),
  current_setting('server_encoding'), array(select name from carnet_migration),
  array(
    select needed from unnest(array['select', 'insert', 'update', 'delete']) as needed
    where not has_table_privilege('carnet_record', needed)
  ), ${isolationGuard}`,
);

type PingRow = readonly [
  readOnly: string,
  synchronousCommit: string | null,
  encoding: string,
  applied: readonly string[],
  lacking: readonly string[],
];

/** Steps of a later release are no hindrance: while several releases run, each step only adds. */
export const assertFit = (rows: readonly (readonly unknown[])[]): void => {
  const [readOnly, synchronousCommit, encoding, applied, lacking] = rows[0] as PingRow;
  if (readOnly === 'on')
    throw new StoreUnfitError('Postgres is read-only here: a standby? The Postgres URL has to lead to the primary.');
  // Used codes could be used again after a crash.
  if (synchronousCommit === 'off')
    throw new StoreUnfitError(
      'Postgres answers before a commit is on its disk. Set synchronous_commit to on for the database or the user.',
    );
  // Anything with a letter that it does not know would be refused each time.
  if (encoding !== 'UTF8') throw new StoreUnfitError(`The database is ${encoding}. Create it with the encoding UTF8.`);
  if (lacking.length > 0)
    throw new StoreUnfitError(
      `The user of the Postgres URL lacks rights: grant ${lacking.join(', ')} on carnet_record to it.`,
    );
  const missing = stepNames.filter((name) => !applied.includes(name));
  if (missing.length > 0)
    throw new StoreUnfitError(`The tables of Carnet lack ${missing.join(', ')}. Run \`carnet migrate up\`.`);
};
