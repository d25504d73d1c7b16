import { bodyOf, type Endpoint, endpoints, nameIn, type Schema, schemas } from './document.ts';
import { curlOf, exampleOf } from './example.ts';
import { type Group, groups } from './groups.ts';
import { parameterTable, schemaTable } from './tables.ts';

const fenced = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;

const linkTo = ({ $ref = '' }: Schema): string => `A [${nameIn($ref)}](schemas.md#${nameIn($ref).toLowerCase()}).`;

const described = (schema: Schema): string => (schema.$ref === undefined ? schemaTable(schema) : linkTo(schema));

const responseOf = ([status, response]: [string, Endpoint['responses'][string]]): string => {
  const body = bodyOf(response);
  const head = `**${status}** ${response.description}`;
  if (body === undefined) return head;
  const example = status.startsWith('2') && body.type === 'application/json';
  return [
    head,
    described(body.schema),
    ...(example ? [fenced('json', JSON.stringify(exampleOf(body.schema), null, 2))] : []),
  ].join('\n\n');
};

const sectionOf = (endpoint: Endpoint): string => {
  const { operationId, summary, method, path, parameters = [], requestBody, responses } = endpoint;
  const request = bodyOf(requestBody);
  // Every operation may answer with an error: the first page describes it once.
  const answers = Object.entries(responses).filter(([status]) => status !== 'default');
  return [
    `## ${operationId}`,
    `\`${method} ${path}\``,
    summary,
    ...(parameters.length > 0 ? [`### Parameters {#${operationId}-parameters}`, parameterTable(parameters)] : []),
    ...(request === undefined
      ? []
      : [`### Body {#${operationId}-body}`, `Content type \`${request.type}\`.`, described(request.schema)]),
    `### Example {#${operationId}-example}`,
    fenced('sh', curlOf(endpoint)),
    `### Responses {#${operationId}-responses}`,
    ...answers.map(responseOf),
  ].join('\n\n');
};

/** The group of an operation. @throws Error if no group takes its path */
const groupOf = ({ path }: Pick<Endpoint, 'path'>): Group => {
  const group = groups.find(({ paths }) => paths.some((begin) => path.startsWith(begin)));
  if (group === undefined) throw new Error(`No group of site/src/admin-api/groups.ts takes ${path}`);
  return group;
};

const pageOf = (group: Group): string => {
  const members = endpoints.filter((endpoint) => groupOf(endpoint) === group);
  return [`# ${group.title}`, group.introduction, ...members.map(sectionOf)].join('\n\n');
};

const index = (): string =>
  [
    '# Admin API',
    'The login page and your administrators call this API. It has its own port, 4445 by default, and is never public. ' +
      'The [functions in process](../../guides/in-process.md) do the same without HTTP.',
    'In the examples `ADMIN` is the address of the admin port, such as `http://127.0.0.1:4445`. If `admin.token` is ' +
      'configured, add `-H "authorization: Bearer $ADMIN_TOKEN"`. Every path is also served without the prefix `/admin`. A member or parameter with * is required.',
    'An error has the status of [its code](../errors.md), and this body:',
    schemaTable(schemas.ErrorOAuth2 ?? {}),
    'The document of this API: [openapi.json](/reference/openapi.json).',
    ...groups.map(({ name, title, introduction }) => `- [${title}](${name}.md): ${introduction}`),
  ].join('\n\n');

const schemaPage = (): string =>
  [
    '# Schemas',
    'The named values of the admin API. A member with * is always there.',
    ...Object.entries(schemas).flatMap(([name, schema]) => [`## ${name}`, schemaTable(schema)]),
  ].join('\n\n');

/** The pages of the admin API: the names of the files, with their Markdown. */
export const adminApiPages = (): Readonly<Record<string, string>> => ({
  'index.md': index(),
  ...Object.fromEntries(groups.map((group) => [`${group.name}.md`, pageOf(group)])),
  'schemas.md': schemaPage(),
});
