import type { Kysely, Transaction } from 'kysely';
import type { Schema } from './schema.ts';

/** The refusals of changes that are made as a whole or not at all. */
export const createRefusals = <Refusal>() => {
  class Refused extends Error {
    readonly result: Refusal;

    constructor(result: Refusal) {
      super('The change is refused.');
      this.result = result;
    }
  }
  return {
    /** Ends the change, and rolls its transaction back. */
    refuse: (refusal: Refusal): never => {
      throw new Refused(refusal);
    },
    /** Carries out a change in one transaction. The result is that of the change, or the refusal. */
    change: async <Changed>(
      tables: Kysely<Schema>,
      make: (transaction: Transaction<Schema>) => Promise<Changed>,
    ): Promise<Changed | Refusal> => {
      try {
        return await tables.transaction().execute(make);
      } catch (error) {
        if (error instanceof Refused) return error.result;
        throw error;
      }
    },
  };
};
