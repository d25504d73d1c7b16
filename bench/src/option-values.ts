import { UsageError } from './usage-error.ts';

/** @throws UsageError unless it is a whole number from 1 to `most` */
export const numberOf = (name: string, value: string, most: number): number => {
  const number = Number(value);
  if (Number.isInteger(number) && number >= 1 && number <= most) return number;
  throw new UsageError(`--${name} ${value}: it takes a whole number from 1 to ${most}`);
};

/** @throws UsageError unless it is one of them */
export const oneOf = <T extends string>(name: string, value: string, all: readonly T[]): T => {
  const found = all.find((each) => each === value);
  if (found !== undefined) return found;
  throw new UsageError(`--${name} ${value}: it takes ${all.join(', ')}`);
};

/** @throws UsageError unless each part between commas is one of them, and none is there twice */
export const someOf = <T extends string>(name: string, value: string, all: readonly T[]): readonly T[] => {
  const found = value.split(',').map((each) => oneOf(name, each, all));
  if (new Set(found).size === found.length) return found;
  throw new UsageError(`--${name} ${value}: it takes each but once`);
};
