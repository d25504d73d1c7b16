import type { Operation } from './wire.ts';

/** The cost of a request, as DynamoDB has counted it. */
export interface ConsumedCapacity {
  readonly operation: Operation;
  /** Read units of a read, write units of a write. */
  readonly units: number;
}

/** Requests about the table itself cost no units. */
export const isFree = (operation: Operation): boolean => /^(?:Describe|Create|Update|Delete)T/.test(operation);

interface Answer {
  /** A list of tables in the answers to BatchGetItem and TransactWriteItems. */
  readonly ConsumedCapacity?: { readonly CapacityUnits: number } | readonly { readonly CapacityUnits: number }[];
}

export const unitsIn = ({ ConsumedCapacity: consumed = [] }: Answer): number =>
  [consumed].flat().reduce((sum, { CapacityUnits }) => sum + CapacityUnits, 0);
