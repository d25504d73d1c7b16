import { isDeepStrictEqual } from 'node:util';
import { type Attribute, type Attributes, attributeIn, type ResourceType } from '../schema/attribute.ts';
import { assertFew, isObject, isUnassigned, normaliseValue } from '../schema/normalise.ts';
import { type Filter, matches, parseFilter, resolveBelow, resolveIn } from './filter.ts';
import { badRequest } from './scim-error.ts';

/** An operation of a PATCH (RFC 7644, section 3.5.2), with its path resolved. */
export interface PatchOperation {
  readonly op: 'add' | 'remove' | 'replace';
  /** From the top of the resource. */
  readonly names: readonly string[];
  readonly attribute: Attribute;
  /** The values of the list that the path selects, and the sub-attribute of them. */
  readonly selection?: { readonly filter: Filter; readonly sub: Attribute | undefined };
  /** In the form of the attribute; undefined for a removal without a value. */
  readonly value: unknown;
}

const mostOperations = 1_000;

const invalidPath = () => badRequest('invalidPath', 'The path names an attribute that no schema has.');

const writableValue = (attribute: Attribute, value: unknown): unknown => {
  if (attribute.mutability === 'readOnly')
    throw badRequest('mutability', `The attribute ${attribute.name} is set by the server.`);
  return normaliseValue(attribute, value);
};

const parsePath = (path: string, resourceType: ResourceType) => {
  const [, listPath = path, filterText, subName] = /^([^[\]]+)\[(.+)\](?:\.(\w+))?$/s.exec(path) ?? [];
  const located = resolveIn(resourceType)(listPath);
  if (located === undefined) throw invalidPath();
  if (filterText === undefined) return located;
  const { attribute, names } = located;
  if (attribute.multiValued === undefined) throw invalidPath();
  const filter = parseFilter(filterText);
  // A filter with an unknown attribute is refused, also if the list is empty.
  matches(filter, {}, resolveBelow(attribute));
  const sub = subName === undefined ? undefined : attributeIn(attribute.subAttributes ?? [], subName);
  if (subName !== undefined && sub === undefined) throw invalidPath();
  return { attribute, names, selection: { filter, sub } };
};

/** An operation without a path has an object of attributes: each one is an operation. Some clients send paths as their names. */
const withoutPath = (op: PatchOperation['op'], value: unknown, resourceType: ResourceType): PatchOperation[] => {
  if (op === 'remove') throw badRequest('noTarget', 'A removal needs a path.');
  if (!isObject(value)) throw badRequest('invalidValue', 'An operation without a path has an object as value.');
  return Object.entries(value).flatMap(([name, member]) => {
    // The server sets these, and clients send back what they have read.
    if (/^(?:schemas|id|meta)$/i.test(name)) return [];
    return resolveOperation({ op, path: name, value: member }, resourceType);
  });
};

const resolveOperation = (
  {
    op,
    path,
    value,
  }: { readonly op: PatchOperation['op']; readonly path: string | undefined; readonly value: unknown },
  resourceType: ResourceType,
): PatchOperation[] => {
  if (path === undefined || path === '') return withoutPath(op, value, resourceType);
  const target = parsePath(path, resourceType);
  const { attribute } = target;
  const leaf = ('selection' in target && target.selection.sub) || attribute;
  // The whole of a selected value is one value.
  const isOne = 'selection' in target && target.selection.sub === undefined;
  const { multiValued: _list, ...single } = leaf;
  const normalised = writableValue(isOne ? single : leaf, value);
  if (op === 'add' && isUnassigned(normalised) && value === undefined)
    throw badRequest('invalidValue', 'An addition needs a value.');
  // Without a URN of its own, each attribute of an extension is set by itself, so that the others stay.
  if (isObject(normalised) && resourceType.extensions.some(({ id }) => id === attribute.name) && op !== 'remove')
    return Object.entries(normalised).flatMap(([name, member]) =>
      resolveOperation({ op, path: `${attribute.name}:${name}`, value: member }, resourceType),
    );
  return [{ op, ...target, value: normalised }];
};

/** The operations of a body. @throws ScimError */
export const parsePatch = (body: unknown, resourceType: ResourceType): readonly PatchOperation[] => {
  const operations = isObject(body)
    ? (Object.entries(body).find(([name]) => /^operations$/i.test(name))?.[1] ?? [])
    : [];
  if (!Array.isArray(operations) || operations.length === 0 || operations.length > mostOperations)
    throw badRequest('invalidSyntax', `Operations must be a list of 1 to ${mostOperations} operations.`);
  return operations.flatMap((operation: unknown) => {
    const { op, path, value } = isObject(operation) ? operation : {};
    // Entra sends `Replace` and `Add`.
    const name = String(op).toLowerCase();
    if (name !== 'add' && name !== 'remove' && name !== 'replace')
      throw badRequest('invalidSyntax', 'An operation is add, remove or replace.');
    if (path !== undefined && typeof path !== 'string') throw badRequest('invalidPath', 'A path is text.');
    return resolveOperation({ op: name, path, value }, resourceType);
  });
};

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** At most one value of a list is primary: a new one replaces it (RFC 7644, section 3.5.2). */
const withOnePrimary = (values: readonly unknown[], isNew: (value: unknown) => boolean): readonly unknown[] => {
  const isPrimary = (value: unknown) => isObject(value) && value.primary === true;
  if (!values.some((value) => isPrimary(value) && isNew(value))) return values;
  return values.map((value) =>
    isPrimary(value) && !isNew(value) && isObject(value) ? { ...value, primary: false } : value,
  );
};

const changedList = (stored: readonly unknown[], { op, attribute, value }: PatchOperation): readonly unknown[] => {
  const given = listOf(value);
  if (op === 'add') assertFew(attribute, [...stored, ...given]);
  if (op === 'replace') return given;
  if (op === 'remove')
    return given.length === 0
      ? []
      : stored.filter((each) => !given.some((gone) => isObject(each) && isObject(gone) && each.value === gone.value));
  const added = given.filter((each) => !stored.some((known) => isDeepStrictEqual(known, each)));
  return withOnePrimary([...stored, ...added], (each) => added.includes(each));
};

/** The attributes that a filter of `eq` names, for a value that does not exist yet. */
const valueOfFilter = (filter: Filter, attribute: Attribute): Attributes => {
  if (filter.op === 'and') return Object.assign({}, ...filter.filters.map((each) => valueOfFilter(each, attribute)));
  const sub = filter.op === 'eq' ? attributeIn(attribute.subAttributes ?? [], filter.attrPath) : undefined;
  return filter.op === 'eq' && sub !== undefined ? { [sub.name]: normaliseValue(sub, filter.compValue) } : {};
};

const changedValue = (each: Attributes, { op, value }: PatchOperation, sub: Attribute | undefined): Attributes => {
  if (sub === undefined) return { ...each, ...(isObject(value) ? value : {}) };
  const { [sub.name]: _old, ...others } = each;
  return op === 'remove' || isUnassigned(value) ? others : { ...others, [sub.name]: value };
};

const changedSelection = (
  stored: readonly unknown[],
  operation: PatchOperation,
  { filter, sub }: NonNullable<PatchOperation['selection']>,
): readonly unknown[] => {
  const { op, attribute } = operation;
  const below = resolveBelow(attribute);
  const isSelected = (each: unknown): each is Attributes => isObject(each) && matches(filter, each, below);
  if (op === 'remove' && sub === undefined) return stored.filter((each) => !isSelected(each));
  const changed = new Set<unknown>();
  const change = (each: Attributes): Attributes => {
    const result = changedValue(each, operation, sub);
    changed.add(result);
    return result;
  };
  const values = stored.map((each) => (isSelected(each) ? change(each) : each));
  // Entra expects that a value is created which its path does not find.
  const all = changed.size > 0 || op === 'remove' ? values : [...values, change(valueOfFilter(filter, attribute))];
  return withOnePrimary(all, (each) => changed.has(each));
};

const changedMember = (stored: unknown, operation: PatchOperation): unknown => {
  const { op, attribute, selection, value } = operation;
  if (selection !== undefined) return changedSelection(listOf(stored), operation, selection);
  if (attribute.multiValued) return changedList(listOf(stored), operation);
  if (op === 'remove') return undefined;
  // The other sub-attributes of a complex value stay.
  return attribute.type === 'complex' && isObject(stored) && isObject(value) ? { ...stored, ...value } : value;
};

const setAt = (
  resource: Attributes,
  [name = '', ...names]: readonly string[],
  change: (stored: unknown) => unknown,
): Attributes => {
  const stored = Object.hasOwn(resource, name) ? resource[name] : undefined;
  const value = names.length === 0 ? change(stored) : setAt(isObject(stored) ? stored : {}, names, change);
  const { [name]: _old, ...others } = resource;
  return isUnassigned(value) ? others : { ...others, [name]: value };
};

/** The resource after all operations. The given one stays as it is. */
export const applyPatch = (resource: Attributes, operations: readonly PatchOperation[]): Attributes =>
  operations.reduce(
    (changed, operation) => setAt(changed, operation.names, (stored) => changedMember(stored, operation)),
    resource,
  );
