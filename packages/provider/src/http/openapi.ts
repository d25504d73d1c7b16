import { z } from 'zod';
import type { BodyDescription, Route, RouteDescription } from './types.ts';

type Json = Readonly<Record<string, unknown>>;
type Schemas = Record<string, unknown>;

/** The body of every error, in the form of RFC 6749, section 5.2. */
const errorSchema = z
  .strictObject({ error: z.string(), error_description: z.string() })
  .meta({ id: 'ErrorOAuth2', description: 'The error code, and a description with the way to fix the error.' });

/** A schema in which the named ones are components of the document. */
const withComponents = (schema: object): Json =>
  JSON.parse(JSON.stringify(schema), (name, value: unknown) =>
    name === '$ref' && typeof value === 'string' ? value.replace('#/$defs/', '#/components/schemas/') : value,
  );

/** A schema for the document. Named schemas (`.meta({ id })`) become components that are referred to. */
const describeSchema = (schema: z.ZodType, schemas: Schemas): Json => {
  // Both request and response schemas describe the form on the wire: before transforms.
  const { $schema, $defs, ...own } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  for (const [name, definition] of Object.entries($defs ?? {})) schemas[name] = withComponents(definition);
  return withComponents(own);
};

const describeBody = ({ type = 'application/json', schema }: BodyDescription, schemas: Schemas): Json => ({
  required: true,
  content: { [type]: { schema: describeSchema(schema, schemas) } },
});

const statusTexts: Readonly<Record<number, string>> = {
  200: 'Success.',
  201: 'Created.',
  204: 'Success, without a body.',
  410: 'The request was handled before or has expired. Redirect the browser to redirect_to to start again.',
  503: 'The process is not ready.',
};

/** A string is plain text; all other schemas are JSON. */
const typeOf = (schema: z.ZodType): string => (schema instanceof z.ZodString ? 'text/plain' : 'application/json');

const describeAnswers = (answers: RouteDescription['answers'], schemas: Schemas): Json =>
  Object.fromEntries(
    Object.entries(answers).map(([status, schema]) => [
      status,
      {
        description: statusTexts[Number(status)] ?? 'Answered.',
        ...(schema && { content: { [typeOf(schema)]: { schema: describeSchema(schema, schemas) } } }),
      },
    ]),
  );

const schema = { type: 'string' };

const parametersOf = ({ path, query = {}, required = [] }: Route): readonly Json[] => [
  ...[...path.matchAll(/:(\w+)/g)].map(([, name]) => ({ name, in: 'path', required: true, schema })),
  ...Object.entries(query).map(([name, description]) => ({
    name,
    in: 'query',
    description,
    required: required.includes(name),
    schema,
  })),
];

const describeRoute = (route: Route, schemas: Schemas): Json => ({
  ...(route.operationId && { operationId: route.operationId, summary: route.summary }),
  parameters: parametersOf(route),
  ...(route.body && { requestBody: describeBody(route.body, schemas) }),
  responses: {
    ...describeAnswers(route.answers ?? {}, schemas),
    default: {
      description: 'An error.',
      content: { 'application/json': { schema: describeSchema(errorSchema, schemas) } },
    },
  },
  ...(route.isOpen && { security: [] }),
});

/** The OpenAPI 3.1 document of a route table. For a route without a description it has only the path. */
export const openApiDocument = (
  routes: readonly Route[],
  info: Readonly<Record<'title' | 'version' | 'description', string>>,
): Json => {
  const schemas: Schemas = {};
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describeRoute(route, schemas) };
  }
  return {
    openapi: '3.1.0',
    info,
    security: [{ admin_token: [] }, {}],
    paths,
    components: {
      securitySchemes: {
        admin_token: {
          type: 'http',
          scheme: 'bearer',
          description:
            'The value of `admin.token`, or a token of `admin.tokens` with a right to the operation. Required if one is configured.',
        },
      },
      schemas,
    },
  };
};
