import { nameIn, type Parameter, resolved, type Schema } from './document.ts';

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ').replace(/[<{]/g, '\\$&');

const code = (value: unknown): string => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;

/** The type of a value in words, with a link to a named schema. */
const typeOf = (schema: Schema): string => {
  const { $ref, type, items, anyOf, oneOf, format } = schema;
  if ($ref !== undefined) return `[${nameIn($ref)}](schemas.md#${nameIn($ref).toLowerCase()})`;
  if (schema.const !== undefined) return code(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(code).join(', ');
  const variants = anyOf ?? oneOf;
  if (variants !== undefined) return [...new Set(variants.map(typeOf))].join(' or ');
  if (items !== undefined) return `array of ${typeOf(items)}`;
  if (type === undefined) return 'any value';
  return [[type].flat().join(' or '), ...(format === undefined ? [] : [`(${format})`])].join(' ');
};

const meaningOf = ({ description, default: preset }: Schema): string =>
  [
    ...(description === undefined ? [] : [cell(description)]),
    ...(preset === undefined ? [] : [`Default ${code(preset)}.`]),
  ].join(' ');

type Row = readonly [name: string, type: string, meaning: string];

/** One row a member; the members of an object within the object follow it with its name before theirs. */
const rowsOf = ({ properties = {}, required = [] }: Schema, above = ''): readonly Row[] =>
  Object.entries(properties).flatMap(([name, member]) => {
    const isRequired = required.includes(name);
    const row: Row = [`\`${above}${name}\`${isRequired ? ' *' : ''}`, typeOf(member), meaningOf(member)];
    return [row, ...rowsOf(member, `${above}${name}.`)];
  });

const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [heads, heads.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

/** The members of a value. A value with variants has a table for each. */
export const schemaTable = (schema: Schema): string => {
  const variants = schema.oneOf ?? schema.anyOf;
  if (variants !== undefined) return variants.map((variant) => schemaTable(resolved(variant))).join('\n\nor\n\n');
  const rows = rowsOf(schema);
  if (rows.length === 0)
    return `${typeOf(schema)}${schema.description === undefined ? '' : `: ${cell(schema.description)}`}`;
  const members = table(['member', 'type', ''], rows);
  return rows.length > 40 ? `::: details ${rows.length} members\n${members}\n:::` : members;
};

/** The parameters of the URL. */
export const parameterTable = (parameters: readonly Parameter[]): string =>
  table(
    ['parameter', 'in', ''],
    parameters.map(({ name, in: place, required, description = '' }) => [
      `\`${name}\`${required ? ' *' : ''}`,
      place,
      cell(description),
    ]),
  );
