import { bodyOf, type Endpoint, resolved, type Schema } from './document.ts';
import { values } from './example-values.ts';

const typeOf = ({ type }: Schema): string | undefined => (typeof type === 'string' ? type : type?.[0]);

/** Schemas within schemas end at this depth: optional members below it are left out. */
const deepest = 4;

const objectExample = (schema: Schema, depth: number): Record<string, unknown> => {
  const { properties = {}, required = [] } = schema;
  const shown = Object.entries(properties).filter(
    ([name]) => required.includes(name) || (name in values && depth < deepest),
  );
  return Object.fromEntries(shown.map(([name, member]) => [name, memberExample(name, member, depth)]));
};

const memberExample = (name: string, schema: Schema, depth: number): unknown => {
  const actual = resolved(schema);
  const isFixed = actual.const !== undefined || actual.enum !== undefined;
  const value = values[name];
  // An enumeration decides over the table, unless the value of the table is one of it.
  if (value !== undefined && !(isFixed && !actual.enum?.includes(value))) {
    const [only = actual] = actual.anyOf ?? [];
    if (Array.isArray(value) === (typeOf(only) === 'array')) return value;
  }
  return exampleOf(actual, depth + 1);
};

/** A value that the schema accepts. Members have the values of `example-values.ts`. */
export const exampleOf = (schema: Schema, depth = 0): unknown => {
  const actual = resolved(schema);
  if (actual.const !== undefined) return actual.const;
  if (actual.enum !== undefined) return actual.enum[0];
  const [variant] = actual.oneOf ?? actual.anyOf ?? [];
  if (variant !== undefined) return exampleOf(variant, depth);
  switch (typeOf(actual)) {
    case 'object':
      return objectExample(actual, depth);
    case 'array':
      return depth < deepest || (actual.minItems ?? 0) > 0 ? [exampleOf(actual.items ?? {}, depth + 1)] : [];
    case 'integer':
    case 'number':
      return actual.minimum ?? 0;
    case 'boolean':
      return false;
    case 'string':
      return actual.format === 'date-time' ? '2026-11-22T12:00:00Z' : '...';
    default:
      return {};
  }
};

/** Requests whose body can't be made from the schema alone. */
const bodies: Readonly<Record<string, unknown>> = {
  patchOAuth2Client: [{ op: 'replace', path: '/client_name', value: 'The Shop' }],
  setOAuth2ClientLifespans: { authorization_code_grant_access_token_lifespan: '10m' },
  introspectOAuth2Token: { token: 'carnet_at_...' },
};

/** The body of an example request. Undefined if the operation takes none. */
export const requestExampleOf = ({ operationId, requestBody }: Endpoint): unknown => {
  const body = bodyOf(requestBody);
  return body && (bodies[operationId] ?? exampleOf(body.schema));
};

const queryOf = ({ parameters = [] }: Endpoint): string => {
  const shown = parameters.filter(
    ({ in: place, name, required }) =>
      place === 'query' && (required || /_challenge$|^subject$|^client_id$/.test(name)),
  );
  return shown.length === 0 ? '' : `?${shown.map(({ name }) => `${name}=$${name.toUpperCase()}`).join('&')}`;
};

/** The command line of an example request. */
export const curlOf = (endpoint: Endpoint): string => {
  const { method, path } = endpoint;
  const url = `"$ADMIN${path.replace(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`)}${queryOf(endpoint)}"`;
  const body = requestExampleOf(endpoint);
  const isForm = bodyOf(endpoint.requestBody)?.type === 'application/x-www-form-urlencoded';
  if (isForm) return `curl ${url} -d token="$TOKEN"`;
  const flags = method === 'GET' || (method === 'POST' && body !== undefined) ? '' : `-X ${method} `;
  if (body === undefined) return `curl ${flags}${url}`;
  return `curl ${flags}${url} -H 'content-type: application/json' -d '${JSON.stringify(body, null, 2)}'`;
};
