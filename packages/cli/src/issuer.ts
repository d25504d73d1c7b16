import { readFileSync } from 'node:fs';
import { isLoopbackHost } from '@carnet/adapter-contract/kit';
import type * as OpenidClient from 'openid-client';
import { endpointOf } from './admin-api.ts';
import { type Option, type Surface, text, UsageError, type Values } from './command.ts';

/** The options of every command that acts as a client. */
export const credentialOptions = {
  'client-id': { type: 'string', value: 'id', summary: 'Default: OAUTH2_CLIENT_ID.' },
  'client-secret': {
    type: 'string',
    value: 'secret',
    summary: 'Visible to other programs; prefer OAUTH2_CLIENT_SECRET.',
  },
  'client-secret-file': { type: 'string', value: 'file', summary: 'A file with the secret.' },
  'token-endpoint-auth-method': {
    type: 'string',
    value: 'method',
    summary: 'client_secret_basic (default with a secret), client_secret_post or none.',
  },
  endpoint: {
    type: 'string',
    short: 'e',
    value: 'url',
    summary: 'The issuer. Default: CARNET_URL, HYDRA_PUBLIC_URL, ORY_SDK_URL, or http://127.0.0.1:4444.',
  },
} as const satisfies Record<string, Option>;

/** The options of every command that requests tokens. */
export const requestOptions = {
  scope: { type: 'string', multiple: true, value: 'scope', summary: 'A requested scope.' },
  audience: { type: 'string', multiple: true, value: 'audience', summary: 'A requested audience.' },
} as const satisfies Record<string, Option>;

export interface Issuer {
  readonly oidc: typeof OpenidClient;
  readonly config: OpenidClient.Configuration;
}

const secretOf = (values: Values, { env }: Pick<Surface, 'env'>): string | undefined => {
  const file = text(values, 'client-secret-file');
  if (file !== undefined) return readFileSync(file, 'utf8').trim();
  return text(values, 'client-secret') ?? (env.OAUTH2_CLIENT_SECRET || undefined);
};

const authenticationOf = (
  oidc: typeof OpenidClient,
  secret: string | undefined,
  method = secret === undefined ? 'none' : 'client_secret_basic',
): OpenidClient.ClientAuth => {
  if (method === 'none') return oidc.None();
  if (secret === undefined)
    throw new UsageError(`${method} needs a secret: --client-secret-file, or OAUTH2_CLIENT_SECRET.`);
  if (method === 'client_secret_basic') return oidc.ClientSecretBasic(secret);
  if (method === 'client_secret_post') return oidc.ClientSecretPost(secret);
  throw new UsageError('--token-endpoint-auth-method must be client_secret_basic, client_secret_post or none.');
};

interface Refusal {
  readonly error?: string;
  readonly error_description?: string;
}

/** The error of the response: in its body, or in the `WWW-Authenticate` header of a 401. */
const answerOf = (error: Error): Refusal => {
  const [challenge] = Array.isArray(error.cause) ? (error.cause as { readonly parameters?: Refusal }[]) : [];
  return challenge?.parameters ?? (error as Refusal);
};

/** An error with the OAuth error of the response, which is more precise than the library's own message. */
export const refusalOf = (thrown: unknown): Error => {
  const error = thrown as Error;
  const { error: code, error_description: description } = answerOf(error);
  if (code === undefined) return error;
  return new Error(`The server refused: ${code}${description ? `: ${description}` : ''}`);
};

/** The innermost reason that has a code, such as ECONNREFUSED. */
const reasonOf = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined;
  const { code } = error as NodeJS.ErrnoException;
  return reasonOf(error.cause) ?? (code?.startsWith('OAUTH_') ? undefined : code);
};

/**
 * Discovers the issuer, to act as the client that the options name.
 *
 * @throws Error that names an issuer that does not answer
 */
export const connectIssuer = async (values: Values, surface: Pick<Surface, 'env'>): Promise<Issuer> => {
  const { env } = surface;
  const id = text(values, 'client-id') ?? env.OAUTH2_CLIENT_ID;
  if (!id) throw new UsageError('Name the client: --client-id, or OAUTH2_CLIENT_ID.');
  const names = ['CARNET_URL', 'HYDRA_PUBLIC_URL', 'ORY_SDK_URL'];
  const endpoint = endpointOf(values, env, names, 'http://127.0.0.1:4444');
  // Loaded here, because `carnet help` does not need it.
  const oidc = await import('openid-client');
  const authentication = authenticationOf(oidc, secretOf(values, surface), text(values, 'token-endpoint-auth-method'));
  const url = new URL(endpoint);
  const isPlain = url.protocol === 'http:' && isLoopbackHost(url.hostname);
  try {
    const options = isPlain ? { execute: [oidc.allowInsecureRequests] } : {};
    return { oidc, config: await oidc.discovery(url, id, undefined, authentication, options) };
  } catch (error) {
    const reason = reasonOf(error) ?? (error as Error).message;
    throw new Error(`${endpoint} can't be used as an issuer (${reason}).`);
  }
};
