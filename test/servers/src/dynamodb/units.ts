import { type Item, sizeOf } from './values.ts';

/** What calls have cost. */
export interface Units {
  writeUnits: number;
  readUnits: number;
}

/** Write units of an item: one for each started KB. */
export const writeUnitsOf = (...items: readonly (Item | undefined)[]): number =>
  Math.ceil(Math.max(1, ...items.map((item) => (item === undefined ? 0 : sizeOf(item)))) / 1_024);

/** Read units of a strongly consistent read of these bytes together: one for each started 4 KB. */
export const readUnitsOf = (bytes: number): number => Math.max(1, Math.ceil(bytes / 4_096));
