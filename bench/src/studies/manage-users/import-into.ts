import { importUsers, openAccountsDatabase } from '@carnet/accounts-sql';
import pg from 'pg';

const firstNames = ['Ada', 'Alan', 'Barbara', 'Grace', 'Hedy', 'Ivan', 'Katherine', 'Linus', 'Margaret', 'Radia'];
export const familyNames = [
  'Lovelace',
  'Turing',
  'Liskov',
  'Hopper',
  'Lamarr',
  'Sutherland',
  'Johnson',
  'Hamilton',
  'Perlman',
];

/** Users as lines of `carnet users import`. */
function* linesOf(amount: number): Generator<string> {
  for (let index = 0; index < amount; index += 1) {
    const [given, family] = [firstNames[index % firstNames.length], familyNames[index % familyNames.length]];
    const claims = { name: `${given} ${family} ${index}`, given_name: given, family_name: family };
    yield JSON.stringify({ id: `u${index}`, email: `${given}.${family}.${index}@example.com`.toLowerCase(), claims });
  }
}

/** Imports users into an accounts database, whose tables it creates. */
export const importInto = async (url: string, amount: number): Promise<void> => {
  const database = await openAccountsDatabase({ url, migrate: true });
  try {
    const refused = (problem: { readonly message: string }) => {
      throw new Error(problem.message);
    };
    await importUsers({ database, lines: linesOf(amount), onProblem: refused });
  } finally {
    await database.close();
  }
  if (url.startsWith('sqlite:')) return;
  // As autovacuum does within a minute: without statistics, Postgres reads whole tables.
  const client = new pg.Client(url);
  await client.connect();
  await client.query('analyze');
  await client.end();
};
