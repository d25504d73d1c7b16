import type { ReadOptions } from './protocol.ts';
import { refuse } from './refusal.ts';
import type { Transaction, Transactions } from './transactions.ts';

export interface Reading {
  readonly transaction: Transaction | undefined;
  /** The id of a transaction that this request began. */
  readonly begun: Buffer | undefined;
  readonly isEventual: boolean;
}

export const openReading = (options: ReadOptions | null, transactions: Transactions): Reading => {
  switch (options?.consistencyType) {
    case 'transaction':
      return { transaction: transactions.find(options.transaction), begun: undefined, isEventual: false };
    case 'newTransaction': {
      const transaction = transactions.begin(options.newTransaction);
      return { transaction, begun: transaction.id, isEventual: false };
    }
    case 'readTime':
      return refuse('UNIMPLEMENTED', 'This server does not read the past: read_time is set.');
    default:
      return { transaction: undefined, begun: undefined, isEventual: options?.readConsistency === 'EVENTUAL' };
  }
};
