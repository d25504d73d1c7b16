import { listedBySubject, listedKinds } from '@carnet/adapter-contract';
import { prepareList, prepareScan } from '../src/list.ts';
import { pingStatement } from '../src/ping.ts';
import { commitStatements, readStatement, type Statement, sweepStatement } from '../src/statements.ts';

const lists: readonly Statement[] = [
  ...listedKinds.map((kind) => prepareList({ kind, limit: 10 }, 0)),
  ...listedBySubject.map((kind) => prepareList({ kind, subject: 'subject', limit: 10 }, 0)),
];

/** Every statement that the adapter sends, in every shape. */
export const hotStatements: readonly Statement[] = [
  readStatement,
  ...commitStatements.values(),
  sweepStatement,
  pingStatement,
  ...lists,
  prepareScan({ limit: 10 }, 0),
];
