import { refuse } from './refusal.ts';

export interface Value {
  readonly S?: string;
  readonly N?: string;
  readonly SS?: readonly string[];
}

export type Item = Readonly<Record<string, Value>>;

const mostBytesOfItem = 400 * 1024;

const sizeOfValue = ({ S, N, SS }: Value): number => {
  if (S !== undefined) return Buffer.byteLength(S);
  if (SS !== undefined) return SS.reduce((sum, member) => sum + Buffer.byteLength(member), 0);
  return Math.ceil((N?.length ?? 0) / 2) + 1;
};

export const sizeOf = (item: Item): number =>
  Object.entries(item).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + sizeOfValue(value), 0);

const checkValue = (value: Value): void => {
  const types = Object.keys(value);
  if (types.length !== 1 || !['S', 'N', 'SS'].includes(types[0] ?? ''))
    refuse('Supplied AttributeValue is empty, must contain exactly one of the supported datatypes');
  if (value.N !== undefined && !/^-?\d+$/.test(value.N)) refuse('A value provided cannot be converted into a number');
  if (value.SS === undefined) return;
  if (value.SS.length === 0) refuse('An string set  may not be empty');
  if (new Set(value.SS).size !== value.SS.length) refuse('Input collection contains duplicates.');
};

export const checkValues = (values: Item): void => {
  for (const value of Object.values(values)) checkValue(value);
};

/** @throws for a key that is missing, empty, too long or of another type */
export const checkKey = (item: Item, names: readonly string[]): void => {
  for (const [index, name] of names.entries()) {
    const text = item[name]?.S;
    if (text === undefined) refuse('The provided key element does not match the schema');
    const bytes = Buffer.byteLength(text ?? '');
    if (bytes === 0) refuse(`One or more parameter values are not valid. Key: ${name} is empty`);
    if (bytes > (index === 0 ? 2_048 : 1_024)) refuse('One or more parameter values were invalid: Size of key');
  }
};

export const isTooLarge = (item: Item): boolean => sizeOf(item) > mostBytesOfItem;

export const checkItem = (item: Item): void => {
  checkValues(item);
  if (isTooLarge(item)) refuse('Item size has exceeded the maximum allowed size');
};

/** Texts by their UTF-8 bytes, numbers by their value. Undefined if the types differ. */
export const compare = (one: Value | undefined, other: Value | undefined): number | undefined => {
  if (one?.S !== undefined && other?.S !== undefined) return Buffer.compare(Buffer.from(one.S), Buffer.from(other.S));
  if (one?.N !== undefined && other?.N !== undefined) return Number(one.N) - Number(other.N);
  return undefined;
};
