import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { root } from './blocks.ts';

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> };
}

const document: { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> } = JSON.parse(
  readFileSync(`${root}docs/reference/openapi.json`, 'utf8'),
);
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(document, 'api');

/** Paths of the public listener, and those of the admin listener that Hydra does not have. */
const otherPaths =
  /^\/(?:oauth2\/(?:auth|token|revoke|device\/auth|par|register|sessions\/logout|bc-authorize)|userinfo|\.well-known\/[\w-]+(?:\.json)?|health\/(?:alive|ready)|version|validate\/check|metrics\/prometheus)?$/;

/** Options of curl that take a value. */
const valued =
  /^-(?:[dHXuoDbc]|-data(?:-urlencode|-binary|-raw)?|-header|-request|-user|-output|-cacert|-cert|-key|-resolve)$/;

interface Call {
  readonly url: string;
  readonly method: string;
  readonly data: readonly string[];
}

const callIn = (args: readonly string[]): Call => {
  let url = '';
  let method: string | undefined;
  const data: string[] = [];
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? '';
    if (valued.test(arg)) {
      const value = args[++index] ?? '';
      if (/^-(?:X|-request)$/.test(arg)) method = value;
      if (/^-(?:d|-data.*)$/.test(arg)) data.push(value);
    } else if (!arg.startsWith('-')) url = arg;
  }
  return { url, data, method: method ?? (data.length > 0 ? 'POST' : 'GET') };
};

const operationFor = (path: string, method: string): Operation | undefined => {
  const paths = [path, `/admin${path}`];
  const [, methods] =
    Object.entries(document.paths).find(([template]) => {
      const pattern = new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`);
      return paths.some((candidate) => pattern.test(candidate));
    }) ?? [];
  return methods?.[method.toLowerCase()];
};

const bodyProblem = (operation: Operation, data: readonly string[]): string | undefined => {
  const schema = operation.requestBody?.content['application/json']?.schema;
  const [body = ''] = data;
  // A body from a file, or with variables of the shell, has no value here.
  if (schema === undefined || body.startsWith('@') || body.includes('$')) return undefined;
  const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"api#/components')));
  return validate(JSON.parse(body || '{}')) ? undefined : `the body is refused: ${ajv.errorsText(validate.errors)}`;
};

/** The problem of a curl command: no such path, method or parameter, or a body that the admin API refuses. */
export const curlProblem = (args: readonly string[]): string | undefined => {
  const { url, method, data } = callIn(args);
  const [, path = '', query = ''] = /^(?:\$\{?\w+\}?|https?:\/\/[^/?]+)([^?]*)\??(.*)$/.exec(url) ?? [];
  const operation = operationFor(path, method);
  if (operation === undefined) return otherPaths.test(path) ? undefined : `the server has no ${method} ${path || url}`;
  const known = new Set(operation.parameters?.map(({ name }) => name));
  const unknown = [...new URLSearchParams(query).keys()].find((name) => !known.has(name));
  return unknown === undefined ? bodyProblem(operation, data) : `${method} ${path} has no parameter ${unknown}`;
};
