import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { createMatcher, routesWithoutAdminPrefix } from '../src/http/router.ts';
import type { Method, Route } from '../src/http/types.ts';
import { apiDocument } from './api-document.ts';

/** What the admin API answered, and to what. */
export interface GivenAnswer {
  readonly method: string;
  /** With or without a query. */
  readonly path: string;
  readonly status: number;
  readonly text: string;
}

type Check = (answer: GivenAnswer) => string[];

const createCheck = async (): Promise<Check> => {
  const document = await apiDocument();
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  const routes = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map(
      (method): Route => ({
        method: method.toUpperCase() as Method,
        path: path.replaceAll(/\{(\w+)\}/g, ':$1'),
        handle: () => ({ status: 200 }),
      }),
    ),
  );
  const match = createMatcher([...routes, ...routesWithoutAdminPrefix(routes)]);
  const validators = new Map<object, ValidateFunction>();

  const validatorOf = (schema: object): ValidateFunction => {
    // Beside the schema stands what it refers to.
    const known = validators.get(schema) ?? ajv.compile({ ...schema, components: document.components });
    validators.set(schema, known);
    return known;
  };

  const problemsIn = (text: string, schema: object): string[] => {
    const validate = validatorOf(schema);
    if (validate(JSON.parse(text))) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  };

  return ({ method, path: target, status, text }) => {
    const [path = ''] = target.split('?');
    const { route } = match(method, path);
    if (route === undefined || method === 'HEAD') return [];
    const documented = route.path.replaceAll(/:(\w+)/g, '{$1}');
    const prefixed = document.paths[documented] ? documented : `/admin${documented}`;
    const operation = document.paths[prefixed]?.[method.toLowerCase()];
    // A route without a description is found by the test of the document.
    if (operation?.operationId === undefined) return [];
    const place = operation.responses[status] ? String(status) : 'default';
    const content = operation.responses[place]?.content;
    if (content === undefined) return text === '' ? [] : ['a body where the document has none'];
    const schema = content['application/json']?.schema;
    if (schema === undefined) return [];
    return problemsIn(text, schema).map((problem) => `${method} ${prefixed} ${status}: ${problem}`);
  };
};

let check: Promise<Check> | undefined;

/** What is not in an answer of the admin API as its OpenAPI document says: unknown members count. */
export const problemsOf = async (answer: GivenAnswer): Promise<string[]> => {
  check ??= createCheck();
  return (await check)(answer);
};

export interface CheckedListener {
  readonly listener: RequestListener;
  /** Throws when an answer was not as documented. */
  readonly assertAsDocumented: () => Promise<void>;
}

/** The admin API, with every answer held to its OpenAPI document. */
export const checked = (listener: RequestListener): CheckedListener => {
  const answers: GivenAnswer[] = [];
  const spy = (request: IncomingMessage, response: ServerResponse): void => {
    const { end } = response;
    response.end = (...args: unknown[]) => {
      const [body] = args;
      const text = typeof body === 'string' || Buffer.isBuffer(body) ? String(body) : '';
      answers.push({ method: String(request.method), path: String(request.url), status: response.statusCode, text });
      return Reflect.apply(end, response, args);
    };
    void listener(request as never, response as never);
  };
  return {
    listener: spy,
    assertAsDocumented: async () => {
      const problems = (await Promise.all(answers.splice(0).map(problemsOf))).flat();
      if (problems.length === 0) return;
      throw new Error(
        `The admin API answered other than its OpenAPI document says:\n${[...new Set(problems)].join('\n')}`,
      );
    },
  };
};
