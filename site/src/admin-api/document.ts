import { readFileSync } from 'node:fs';
import { root } from '../repository.ts';

/** JSON Schema, as far as the document of the admin API uses it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly minItems?: number;
  readonly maxLength?: number;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header';
  readonly description?: string;
  readonly required: boolean;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content & { readonly description: string }>>;
}

/** An operation with its method, in capitals, and its path. */
export interface Endpoint extends Operation {
  readonly method: string;
  readonly path: string;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const document: Document = JSON.parse(readFileSync(`${root}docs/reference/openapi.json`, 'utf8'));

/** The named schemas of the document. */
export const { schemas } = document.components;

/** All operations, in the order of the document. */
export const endpoints: readonly Endpoint[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method: method.toUpperCase() })),
);

/** The name in a reference: `#/components/schemas/Name`. */
export const nameIn = ($ref: string): string => $ref.split('/').at(-1) ?? '';

/** The schema that a reference names, or the schema itself. */
export const resolved = (schema: Schema): Schema =>
  schema.$ref === undefined ? schema : (schemas[nameIn(schema.$ref)] ?? {});

/** The content type and the schema of a body. Undefined if there is no body. */
export const bodyOf = (
  content: Content | undefined,
): { readonly type: string; readonly schema: Schema } | undefined => {
  const [entry] = Object.entries(content?.content ?? {});
  return entry && { type: entry[0], schema: entry[1].schema };
};
