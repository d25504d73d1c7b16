import type { Shape } from './query-shape.ts';
import { refuse } from './refusal.ts';

/** An index of an index.yaml. */
export interface CompositeIndex {
  readonly kind: string;
  readonly ancestor?: boolean | undefined;
  readonly properties: readonly { readonly name: string; readonly direction?: 'asc' | 'desc' | undefined }[];
}

interface Needed {
  readonly equals: readonly string[];
  readonly sorted: readonly string[];
}

const show = (name: string, descending: boolean): string => `${name} ${descending ? 'desc' : 'asc'}`;

/** The composite index that a query needs; undefined where the built-in indexes of single properties serve. */
const neededBy = (shape: Shape): Needed | undefined => {
  const { equals, orders, ancestor, keyBounds, keysDescending } = shape;
  const sorted = orders.map(({ property, descending }) => show(property, descending));
  if (keysDescending) sorted.push(show('__key__', true));
  if (sorted.length === 0) return undefined;
  const isBuiltIn = equals.length === 0 && ancestor === undefined && keyBounds.length === 0;
  if (isBuiltIn && sorted.length === 1 && !keysDescending) return undefined;
  return { equals: [...new Set(equals.map(({ property }) => property))], sorted };
};

const suffixOf = ({ properties }: CompositeIndex, length: number): string[] =>
  properties.slice(properties.length - length).map(({ name, direction }) => show(name, direction === 'desc'));

/** Indexes with one order at their end are merged: together they must have every property of an equality. */
const serves = (
  declared: readonly CompositeIndex[],
  { kind, ancestor }: Shape,
  { equals, sorted }: Needed,
): boolean => {
  const usable = declared.filter(
    (index) =>
      index.kind === kind &&
      (index.ancestor ?? false) === (ancestor !== undefined) &&
      suffixOf(index, sorted.length).join() === sorted.join() &&
      index.properties.slice(0, -sorted.length).every(({ name }) => equals.includes(name)),
  );
  const covered = new Set(
    usable.flatMap(({ properties }) => properties.slice(0, -sorted.length).map(({ name }) => name)),
  );
  return usable.length > 0 && equals.every((name) => covered.has(name));
};

const recommend = ({ kind, ancestor }: Shape, { equals, sorted }: Needed): string =>
  [
    `- kind: ${kind}`,
    ...(ancestor === undefined ? [] : ['  ancestor: yes']),
    '  properties:',
    ...equals.map((name) => `  - name: ${name}`),
    ...sorted.map((entry) => {
      const [name, direction] = entry.split(' ');
      return `  - name: ${name}${direction === 'desc' ? '\n    direction: desc' : ''}`;
    }),
  ].join('\n');

/** @throws {Refusal} FAILED_PRECONDITION for a query without an index. */
export const checkIndex = (shape: Shape, declared: readonly CompositeIndex[]): void => {
  const needed = neededBy(shape);
  if (needed === undefined || serves(declared, shape, needed)) return;
  refuse('FAILED_PRECONDITION', `no matching index found. recommended index is:\n${recommend(shape, needed)}`);
};
