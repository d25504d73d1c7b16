import * as accounts from '@carnet/accounts/config';
import * as events from '@carnet/events/config';
import { configJsonSchema } from '../../packages/provider/src/config/json-schema.ts';
import { layoutWith } from '../../packages/provider/src/config/rule.ts';

interface JsonSchema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
}

const simple: Readonly<Record<string, string>> = { integer: 'number', number: 'number', string: 'string', boolean: 'boolean' };

const typeOf = (schema: JsonSchema, indent: string): string => {
  if (schema.enum) return schema.enum.map((value) => `'${String(value)}'`).join(' | ');
  if (schema.const !== undefined) return `'${String(schema.const)}'`;
  if (schema.oneOf) return schema.oneOf.map((one) => typeOf(one, indent)).join(' | ');
  if (schema.anyOf) return [...new Set(schema.anyOf.map((one) => typeOf(one, indent)))].join(' | ');
  if (schema.items) return `(${typeOf(schema.items, indent)})[]`.replace(/^\((\w+)\)/, '$1');
  const { additionalProperties: rest } = schema;
  if (schema.properties) {
    const others = typeof rest === 'object' ? ' & Readonly<Record<string, unknown>>' : '';
    return `{\n${membersOf(schema, `${indent}  `)}${indent}}${others}`;
  }
  if (typeof rest === 'object') return `Readonly<Record<string, ${typeOf(rest, indent)}>>`;
  return simple[schema.type ?? ''] ?? 'unknown';
};

const isScalar = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value) && value !== '';

const commentOf = ({ description, default: value }: JsonSchema): string => {
  const parts = [description, isScalar(value) && `Default: \`${String(value)}\`.`].filter(Boolean);
  return parts.length === 0 ? '' : `/** ${parts.join(' ').replaceAll('*/', '*\\/')} */ `;
};

/** One line a key: an editor shows its description, and the file stays short. */
const membersOf = ({ properties = {}, required = [] }: JsonSchema, indent: string): string =>
  Object.entries(properties)
    .map(([name, schema]) => {
      const isRequired = required.includes(name) && schema.default === undefined;
      return `${indent}${commentOf(schema)}readonly ${name}${isRequired ? '' : '?'}: ${typeOf(schema, indent)};\n`;
    })
    .join('');

/** packages/provider/src/config/config-input.ts, from the schemas. */
export const configInputSource = (): string => `// Generated from the schemas by \`npm run docs:write\`.

/** The first argument of \`createProvider\`. */
export interface ConfigInput {
${membersOf(configJsonSchema(layoutWith({ accounts, events }).schema) as JsonSchema, '  ')}}
`;
