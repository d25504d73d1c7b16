import { type AdminRequest, parseJson, requestAdmin } from '@carnet/adapter-contract/kit';
import { type Option, type Surface, text, texts, UsageError, type Values } from './command.ts';
import type { Environment } from './env.ts';
import { readText } from './json-sources.ts';
import { outputOptions } from './output.ts';

/** The options of every command that calls the admin API of a running server. */
export const adminOptions = {
  endpoint: {
    type: 'string',
    short: 'e',
    value: 'url',
    summary: 'The admin API. Default: CARNET_ADMIN_URL, HYDRA_ADMIN_URL, ORY_SDK_URL, or http://127.0.0.1:4445.',
  },
  issuer: {
    type: 'string',
    value: 'name',
    summary: 'The issuer, if the server has several. Default: the first one, or that of the token.',
  },
  'token-file': {
    type: 'string',
    value: 'file',
    summary: 'A file with the admin token. Default: ADMIN_TOKEN, ADMIN_TOKEN_FILE.',
  },
  'http-header': {
    type: 'string',
    short: 'H',
    value: 'name: value',
    multiple: true,
    summary: 'Sent with each request, for a proxy.',
  },
  ...outputOptions,
} as const satisfies Record<string, Option>;

const defaultEndpoint = 'http://127.0.0.1:4445';
const timeoutMs = 30_000;

export type AdminCall = Pick<AdminRequest, 'query' | 'json' | 'form' | 'headers'>;

export interface AdminAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

export interface AdminApi {
  /** @throws Error that names the request and the reason, for every status but 2xx */
  call(method: string, path: string, what?: AdminCall): Promise<AdminAnswer>;
}

/** The token of the next page in a `Link` header; empty on the last page. */
export const pageTokenIn = (link: string | null): string => {
  const next = /<([^>]+)>; rel="next"/.exec(link ?? '')?.[1];
  return (next && new URL(next, 'http://admin').searchParams.get('page_token')) || '';
};

const tokenOf = (values: Values, env: Environment): string | undefined => {
  const file = text(values, 'token-file') ?? (env.ADMIN_TOKEN ? undefined : env.ADMIN_TOKEN_FILE);
  return file ? readText(file, ': it should hold the admin token') : env.ADMIN_TOKEN || undefined;
};

/** The URL of a running server: the option `--endpoint`, or the first of the variables that is set. */
export const endpointOf = (values: Values, env: Environment, names: readonly string[], otherwise: string): string => {
  const given = text(values, 'endpoint') ?? names.map((name) => env[name]).find(Boolean) ?? otherwise;
  if (!/^https?:\/\//.test(given) || !URL.canParse(given))
    throw new UsageError('--endpoint must be an http or https URL.');
  return given.replace(/\/+$/, '');
};

const extraHeaders = (values: Values): Record<string, string> =>
  Object.fromEntries(
    texts(values, 'http-header').map((header) => {
      const colon = header.indexOf(':');
      if (colon < 1) throw new UsageError('--http-header must be of the form "name: value".');
      return [header.slice(0, colon).trim(), header.slice(colon + 1).trim()];
    }),
  );

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const problemIn = (body: unknown, status: number): string => {
  if (!isRecord(body) || typeof body.error !== 'string') return `HTTP ${status}`;
  const { error, error_description: description } = body;
  return description ? `${error}: ${String(description)}` : error;
};

/** Names the option and the variable that set the token. The error of the server does not know them. */
const adviceFor = (status: number, token: string | undefined): string => {
  if (status !== 401) return '';
  if (token === undefined) return ' Set ADMIN_TOKEN or --token-file.';
  return ' The token of ADMIN_TOKEN or --token-file is not that of the server.';
};

/** The reason for a missing answer, without the headers and bodies that `fetch` may quote. */
const unreachable = (endpoint: string, error: unknown): Error => {
  const cause = error instanceof Error ? (error.cause as NodeJS.ErrnoException | undefined) : undefined;
  const reason = cause?.code ?? (error instanceof Error ? error.name : 'unknown');
  return new Error(`${endpoint} does not answer (${reason}). Check that the server runs there, or set --endpoint.`);
};

/** A client of the admin API at the endpoint that the options or the environment name. */
export const connectAdmin = (values: Values, { env }: Pick<Surface, 'env'>): AdminApi => {
  const server = endpointOf(values, env, ['CARNET_ADMIN_URL', 'HYDRA_ADMIN_URL', 'ORY_SDK_URL'], defaultEndpoint);
  const issuer = text(values, 'issuer');
  if (issuer !== undefined && !/^[a-z0-9-]{1,63}$/.test(issuer))
    throw new UsageError('--issuer must be the name of an issuer.');
  const endpoint = issuer === undefined ? server : `${server}/issuers/${issuer}`;
  const token = tokenOf(values, env);
  const target = { url: new URL(endpoint), token, headers: extraHeaders(values), timeoutMs };
  return {
    call: async (method, path, what) => {
      let response: Response;
      let answered: string;
      try {
        response = await requestAdmin(target, { method, path, ...what });
        answered = await response.text();
      } catch (error) {
        throw unreachable(endpoint, error);
      }
      const body = parseJson(answered);
      const { status, headers } = response;
      if (!response.ok) {
        const { pathname } = new URL(`${endpoint}/admin${path}`);
        throw new Error(`${method} ${pathname}: ${problemIn(body, status)}${adviceFor(status, token)}`);
      }
      return { status, headers, body };
    },
  };
};
