import { encodeValue } from './order.ts';
import type { Entity, Transform, Value } from './protocol.ts';
import { refuse } from './refusal.ts';
import { toTimestamp, type Version } from './store.ts';

/** As a decoded message has them. */
const common = { meaning: 0, excludeFromIndexes: false };
const nullValue: Value = { valueType: 'nullValue', nullValue: 'NULL_VALUE' };

const largest = (one: bigint, other: bigint): bigint => (one >= other ? one : other);
const smallest = (one: bigint, other: bigint): bigint => (one <= other ? one : other);
/** An overflow is the largest integer, or the smallest. */
const clamp = (integer: bigint): bigint => smallest(largest(integer, -(2n ** 63n)), 2n ** 63n - 1n);

const integerOf = (value: Value | undefined): bigint | undefined =>
  value?.valueType === 'integerValue' ? BigInt(value.integerValue ?? '0') : undefined;

const toInteger = (integer: bigint, excludeFromIndexes: boolean): Value => ({
  valueType: 'integerValue',
  integerValue: `${clamp(integer)}`,
  meaning: 0,
  excludeFromIndexes,
});

const combine = (current: Value | undefined, given: Value | undefined, how: (one: bigint, other: bigint) => bigint) => {
  const other = integerOf(given);
  if (other === undefined || current?.valueType === 'doubleValue') {
    return refuse('UNIMPLEMENTED', 'This server transforms integers and no doubles.');
  }
  const one = integerOf(current);
  return toInteger(one === undefined ? other : how(one, other), current?.excludeFromIndexes ?? false);
};

/** Elements compare by type and value, without regard to indexes. */
const sameness = (value: Value): string => encodeValue(value);

const append = (current: readonly Value[], given: readonly Value[]): Value[] => {
  const seen = new Set(current.map(sameness));
  return [...current, ...given.filter((value) => !seen.has(sameness(value)) && seen.add(sameness(value)))];
};

const removeAll = (current: readonly Value[], given: readonly Value[]): Value[] => {
  const gone = new Set(given.map(sameness));
  return current.filter((value) => !gone.has(sameness(value)));
};

const toArray = (values: readonly Value[]): Value => ({
  ...common,
  valueType: 'arrayValue',
  arrayValue: { values },
});

/** Answers the new value of the property, and the result that the API reports. */
const transformOne = (transform: Transform, current: Value | undefined, at: Version): readonly [Value, Value] => {
  const elements = current?.arrayValue?.values ?? [];
  const both = (value: Value): readonly [Value, Value] => [value, value];
  switch (transform.transformType) {
    case 'setToServerValue': {
      const millisecond = Math.floor(at / 1_000) * 1_000;
      return both({ ...common, valueType: 'timestampValue', timestampValue: toTimestamp(millisecond) });
    }
    case 'increment':
      return both(combine(current, transform.increment, (one, other) => one + other));
    case 'maximum':
      return both(combine(current, transform.maximum, largest));
    case 'minimum':
      return both(combine(current, transform.minimum, smallest));
    case 'appendMissingElements':
      return [toArray(append(elements, transform.appendMissingElements?.values ?? [])), nullValue];
    case 'removeAllFromArray':
      return [toArray(removeAll(elements, transform.removeAllFromArray?.values ?? [])), nullValue];
    default:
      return refuse('INVALID_ARGUMENT', 'The property transform has no type.');
  }
};

/** Applies property transforms in order, after the operation. */
export const applyTransforms = (entity: Entity, transforms: readonly Transform[], at: Version) => {
  let properties = entity.properties;
  const results: Value[] = [];
  for (const transform of transforms) {
    const name = transform.property;
    if (name === '') refuse('INVALID_ARGUMENT', 'The property of a transform is the empty string.');
    if (/[.\\]/.test(name)) refuse('UNIMPLEMENTED', 'This server transforms no properties of entity values.');
    const [value, result] = transformOne(transform, properties[name], at);
    properties = { ...properties, [name]: value };
    results.push(result);
  }
  return { entity: { ...entity, properties }, results };
};
