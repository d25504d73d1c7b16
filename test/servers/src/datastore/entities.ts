import { isReserved, keyBytes, readKey } from './keys.ts';
import { limits } from './limits.ts';
import type { DatabaseRequest, Entity, Key, Value } from './protocol.ts';
import { refuse } from './refusal.ts';

const textBytes = (text: string): number => Buffer.byteLength(text) + 1;

/** The documented sizes of stored values. */
const valueBytes = (value: Value): number => {
  switch (value.valueType) {
    case 'stringValue':
      return textBytes(value.stringValue ?? '');
    case 'blobValue':
      return (value.blobValue?.length ?? 0) + 1;
    case 'keyValue':
      return value.keyValue ? keyBytes(value.keyValue) : 0;
    case 'arrayValue':
      return (value.arrayValue?.values ?? []).reduce((sum, element) => sum + valueBytes(element), 0);
    case 'entityValue':
      return value.entityValue ? propertiesBytes(value.entityValue) + 32 : 0;
    case 'geoPointValue':
      return 16;
    case 'booleanValue':
    case 'nullValue':
      return 1;
    default:
      return 8;
  }
};

const propertiesBytes = ({ properties }: Entity): number =>
  Object.entries(properties).reduce((sum, [name, value]) => sum + textBytes(name) + valueBytes(value), 0);

/** The documented size of an entity: its key, its properties and 32 bytes. */
export const entityBytes = (key: Key, entity: Entity): number => keyBytes(key) + propertiesBytes(entity) + 32;

interface Position {
  readonly name: string;
  readonly depth: number;
  readonly indexed: boolean;
  readonly inArray: boolean;
}

const checkLength = (bytes: number, { name, indexed }: Position): number => {
  const most = indexed ? limits.maxIndexedBytes : limits.maxUnindexedBytes;
  if (bytes > most) refuse('INVALID_ARGUMENT', `The value of property "${name}" is longer than ${most} bytes.`);
  return indexed ? 1 : 0;
};

const checkArray = (value: Value, at: Position, request: DatabaseRequest): number => {
  if (at.inArray) refuse('INVALID_ARGUMENT', 'list_value cannot contain a Value containing another list_value.');
  if (value.excludeFromIndexes || value.meaning) {
    refuse('INVALID_ARGUMENT', 'A Value with list_value must not set exclude_from_indexes or meaning.');
  }
  const elements = value.arrayValue?.values ?? [];
  return elements.reduce((sum, element) => sum + checkValue(element, { ...at, inArray: true }, request), 0);
};

/** Answers how many index entries the value has. */
const checkValue = (value: Value, position: Position, request: DatabaseRequest): number => {
  const at = { ...position, indexed: position.indexed && !value.excludeFromIndexes };
  if (value.meaning) refuse('UNIMPLEMENTED', 'This server knows no meanings of values.');
  switch (value.valueType) {
    case undefined:
      return refuse('INVALID_ARGUMENT', `The value of property "${at.name}" has no type.`);
    case 'arrayValue':
      return checkArray(value, at, request);
    case 'stringValue':
      return checkLength(Buffer.byteLength(value.stringValue ?? ''), at);
    case 'blobValue':
      return checkLength(value.blobValue?.length ?? 0, at);
    case 'keyValue':
      readKey(value.keyValue, request, 'complete');
      return at.indexed ? 1 : 0;
    case 'entityValue':
      return checkProperties(
        value.entityValue?.properties ?? {},
        { ...at, depth: at.depth + 1, inArray: false },
        request,
      );
    default:
      return at.indexed ? 1 : 0;
  }
};

const checkProperties = (properties: Entity['properties'], at: Position, request: DatabaseRequest): number => {
  if (at.depth > limits.maxDepth)
    refuse('INVALID_ARGUMENT', `Entity values are nested deeper than ${limits.maxDepth}.`);
  return Object.entries(properties).reduce((sum, [name, value]) => {
    if (name === '') refuse('INVALID_ARGUMENT', 'The property.name is the empty string.');
    if (isReserved(name)) refuse('INVALID_ARGUMENT', `The property.name "${name}" is reserved.`);
    if (Buffer.byteLength(name) > limits.maxNameBytes) {
      refuse('INVALID_ARGUMENT', `The property.name is longer than ${limits.maxNameBytes} bytes.`);
    }
    return sum + checkValue(value, { ...at, name }, request);
  }, 0);
};

/** @throws {Refusal} for properties that the API does not store. */
export const checkEntity = (key: Key, entity: Entity, request: DatabaseRequest): void => {
  const indexed = checkProperties(entity.properties, { name: '', depth: 0, indexed: true, inArray: false }, request);
  if (indexed > limits.maxIndexedValues) {
    refuse('INVALID_ARGUMENT', `The entity has more than ${limits.maxIndexedValues} indexed property values.`);
  }
  if (entityBytes(key, entity) > limits.maxEntityBytes) {
    refuse('INVALID_ARGUMENT', `The entity is larger than ${limits.maxEntityBytes} bytes.`);
  }
};

/** The indexed values of a property, one for each element of an array. `a.b` is property `b` of the entity in `a`. */
export const indexedValues = ({ properties }: Entity, path: string): readonly Value[] => {
  const direct = properties[path];
  if (direct !== undefined) {
    const values = direct.valueType === 'arrayValue' ? (direct.arrayValue?.values ?? []) : [direct];
    return values.filter(({ excludeFromIndexes, valueType }) => !excludeFromIndexes && valueType !== 'entityValue');
  }
  const dot = path.indexOf('.');
  const outer = dot === -1 ? undefined : properties[path.slice(0, dot)];
  if (outer?.entityValue === undefined || outer.excludeFromIndexes) return [];
  return indexedValues(outer.entityValue, path.slice(dot + 1));
};

/** How many entries of the built-in indexes an entity has: an ascending and a descending one a value, and its kind. */
export const countIndexEntries = (entity: Entity | undefined): number => {
  if (entity === undefined) return 0;
  return Object.keys(entity.properties).reduce((sum, name) => sum + 2 * indexedValues(entity, name).length, 1);
};
