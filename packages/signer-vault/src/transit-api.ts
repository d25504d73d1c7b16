import { type CallOptions, SignerUnavailableError, SignerUnfitError } from '@carnet/signer-contract';
import { openRestClient, type RestAnswer } from '@carnet/signer-contract/rest';
import type { Address } from './address.ts';
import { openToken } from './token.ts';

/** The member `data` of an answer. Each of its members is checked where it is used. */
export type Data = Readonly<Record<string, unknown>>;

export interface TransitApi {
  /** @throws SignerUnavailableError, SignerUnfitError */
  get(path: string, options: CallOptions): Promise<Data>;
  /** @throws SignerUnavailableError, SignerUnfitError */
  post(path: string, body: Data, options: CallOptions): Promise<Data>;
  close(): Promise<void>;
}

interface ApiOptions {
  readonly address: Address;
  readonly env: NodeJS.ProcessEnv;
  /** The lines that the policy of the token needs. */
  readonly policy: string;
}

/** A limit, a request or a token that a standby cannot see yet, a standby that does not forward, a sealed Vault. */
const isUnavailable = (status: number): boolean =>
  status === 412 || status === 429 || status === 472 || status === 473 || status >= 500;

const maxReasonLength = 300;

/** Vault's messages name paths and rules. They have neither the token nor the data. */
const reasonOf = ({ status, body }: RestAnswer): string => {
  const errors = (body as { errors?: unknown } | null | undefined)?.errors;
  const text = Array.isArray(errors) ? errors.join('; ').replace(/\s+/g, ' ') : '';
  return `${status} ${text}`.slice(0, maxReasonLength).trim();
};

/** Calls the transit engine of Vault, or of OpenBao, which has the same API. */
export const openTransitApi = ({ address, env, policy }: ApiOptions): TransitApi => {
  const { origin, namespace, mount } = address;
  const token = openToken(env, origin);
  const client = openRestClient(origin);

  const send = (method: 'GET' | 'POST', path: string, body: Data | undefined, signal: AbortSignal, value?: string) => {
    // Vault Agent and Vault Proxy can demand the first header, which a browser cannot be made to send.
    const headers = {
      'x-vault-request': 'true',
      ...(value !== undefined && { 'x-vault-token': value }),
      ...(namespace !== undefined && { 'x-vault-namespace': namespace }),
    };
    return client.send({ method, path: `/v1/${mount}/${path}`, headers, body, signal });
  };

  const read = (answer: RestAnswer): Data => {
    const data = (answer.body as { data?: unknown } | null | undefined)?.data;
    if (answer.status === 200 && typeof data === 'object' && data !== null) return data as Data;
    const reason = `Vault at ${origin.host} answered ${reasonOf(answer)}`;
    if (isUnavailable(answer.status)) throw new SignerUnavailableError(reason);
    throw new SignerUnfitError(
      `${reason}. Check that the key exists, that the token has not expired, and that its policy has: ${policy}`,
    );
  };

  const call = async (method: 'GET' | 'POST', path: string, body: Data | undefined, { signal }: CallOptions) => {
    const value = await token.read();
    const answer = await send(method, path, body, signal, value);
    // The token expired before the file was read again: one attempt more, with the new one.
    const replacement = answer.status === 403 ? await token.replace(value) : undefined;
    return read(replacement === undefined ? answer : await send(method, path, body, signal, replacement));
  };

  return {
    get: (path, options) => call('GET', path, undefined, options),
    post: (path, body, options) => call('POST', path, body, options),
    close: () => client.close(),
  };
};
