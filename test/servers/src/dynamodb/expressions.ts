import { refuse } from './refusal.ts';
import { checkValues, compare, type Item, type Value } from './values.ts';

/** What belongs to the expressions of a call. */
export interface Bound {
  readonly ConditionExpression?: string;
  readonly UpdateExpression?: string;
  readonly KeyConditionExpression?: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues?: Item;
}

type Test = (item: Item) => boolean;

const tokensOf = (text: string): readonly string[] => text.match(/#\w+|:\w+|\w+|<>|<=|>=|[=<>(),]|\S/g) ?? [];

/** A reader of tokens that resolves names and values, and notes which were used. */
const createReader = (text: string, bound: Bound) => {
  const tokens = tokensOf(text);
  let position = 0;
  const bad = (): never => refuse(`Invalid expression: Syntax error; token: ${tokens[position]}`);
  const take = (): string => tokens[position++] ?? bad();
  return {
    peek: (): string | undefined => tokens[position],
    peekWord: (): string => tokens[position]?.toUpperCase() ?? '',
    isAtEnd: () => position === tokens.length,
    take,
    expect(token: string): void {
      if (take().toUpperCase() !== token) bad();
    },
    name(): string {
      const token = take();
      const name = token.startsWith('#') ? bound.ExpressionAttributeNames?.[token] : undefined;
      // DynamoDB takes names without `#`, too, unless they are one of several hundred reserved words.
      return name ?? refuse(`An expression attribute name used in the document path is not defined: ${token}`);
    },
    value(): Value {
      const token = take();
      const value = token.startsWith(':') ? bound.ExpressionAttributeValues?.[token] : undefined;
      return value ?? refuse(`An expression attribute value used in expression is not defined: ${token}`);
    },
  };
};

type Reader = ReturnType<typeof createReader>;

const comparisons: Readonly<Record<string, (difference: number) => boolean>> = {
  '=': (difference) => difference === 0,
  '<>': (difference) => difference !== 0,
  '<': (difference) => difference < 0,
  '<=': (difference) => difference <= 0,
  '>': (difference) => difference > 0,
  '>=': (difference) => difference >= 0,
};

const parsePrimary = (reader: Reader): Test => {
  if (reader.peek() === '(') {
    reader.take();
    const test = parseOr(reader);
    reader.expect(')');
    return test;
  }
  const word = reader.peekWord();
  if (word === 'ATTRIBUTE_EXISTS' || word === 'ATTRIBUTE_NOT_EXISTS') {
    reader.take();
    reader.expect('(');
    const name = reader.name();
    reader.expect(')');
    return (item) => (item[name] !== undefined) === (word === 'ATTRIBUTE_EXISTS');
  }
  const name = reader.name();
  const operator = reader.take();
  const value = reader.value();
  const holds = comparisons[operator] ?? refuse(`Invalid operator: ${operator}`);
  return (item) => {
    const difference = compare(item[name], value);
    return difference !== undefined && holds(difference);
  };
};

const parseNot = (reader: Reader): Test => {
  if (reader.peekWord() !== 'NOT') return parsePrimary(reader);
  reader.take();
  const test = parseNot(reader);
  return (item) => !test(item);
};

const parseAnd = (reader: Reader): Test => {
  const tests = [parseNot(reader)];
  while (reader.peekWord() === 'AND') {
    reader.take();
    tests.push(parseNot(reader));
  }
  return (item) => tests.every((test) => test(item));
};

const parseOr = (reader: Reader): Test => {
  const tests = [parseAnd(reader)];
  while (reader.peekWord() === 'OR') {
    reader.take();
    tests.push(parseAnd(reader));
  }
  return (item) => tests.some((test) => test(item));
};

/** A condition of an item, or of the keys of a query. Without an expression every item matches. */
export const parseCondition = (text: string | undefined, bound: Bound): Test => {
  if (text === undefined) return () => true;
  const reader = createReader(text, bound);
  const test = parseOr(reader);
  if (!reader.isAtEnd()) refuse(`Invalid expression: Syntax error; token: ${reader.peek()}`);
  return test;
};

type Change = (item: Record<string, Value>) => void;

const unionOf = (stored: Value | undefined, added: Value): Value => {
  if (added.N !== undefined) return { N: `${Number(stored?.N ?? 0) + Number(added.N)}` };
  return { SS: [...new Set([...(stored?.SS ?? []), ...(added.SS ?? refuse('ADD takes numbers and sets'))])] };
};

const clauses: Readonly<Record<string, (reader: Reader) => { readonly name: string; readonly change: Change }>> = {
  SET(reader) {
    const name = reader.name();
    reader.expect('=');
    const value = reader.value();
    return { name, change: (item) => Object.assign(item, { [name]: value }) };
  },
  REMOVE(reader) {
    const name = reader.name();
    return { name, change: (item) => void delete item[name] };
  },
  ADD(reader) {
    const name = reader.name();
    const value = reader.value();
    return { name, change: (item) => Object.assign(item, { [name]: unionOf(item[name], value) }) };
  },
};

/** The item that an update makes. */
export const parseUpdate = (text: string, bound: Bound, keyNames: readonly string[]): ((item: Item) => Item) => {
  const reader = createReader(text, bound);
  const changes: { readonly name: string; readonly change: Change }[] = [];
  const used = new Set<string>();
  while (!reader.isAtEnd()) {
    const word = reader.take().toUpperCase();
    const clause = clauses[word] ?? refuse(`Invalid UpdateExpression: Syntax error; token: ${word}`);
    if (used.has(word)) refuse(`The "${word}" section can only be used once in an update expression`);
    used.add(word);
    do {
      if (reader.peek() === ',') reader.take();
      changes.push(clause(reader));
    } while (reader.peek() === ',');
  }
  const names = changes.map(({ name }) => name);
  if (new Set(names).size !== names.length) refuse('Two document paths overlap with each other');
  if (names.some((name) => keyNames.includes(name))) refuse('This attribute is part of the key');
  return (item) => {
    const changed = { ...item };
    for (const { change } of changes) change(changed);
    return changed;
  };
};

/** @throws for names and values that no expression uses, which DynamoDB refuses */
export const checkBound = (bound: Bound): void => {
  const { ConditionExpression = '', UpdateExpression = '', KeyConditionExpression = '' } = bound;
  const used = new Set(tokensOf([ConditionExpression, UpdateExpression, KeyConditionExpression].join(' ')));
  const { ExpressionAttributeNames: names, ExpressionAttributeValues: values } = bound;
  for (const each of [names, values])
    if (each && Object.keys(each).length === 0) refuse('ExpressionAttributeNames and values must not be empty');
  for (const token of [...Object.keys(names ?? {}), ...Object.keys(values ?? {})])
    if (!used.has(token)) refuse(`Value provided in expression unused in expressions: keys: {${token}}`);
  checkValues(values ?? {});
};
