import { requestAdmin } from '@carnet/adapter-contract/kit';
import { AccountsError, type AccountsErrorCode } from './accounts-error.ts';
import type { Accounts } from './api/accounts.ts';
import { createAccountsOf } from './wire/operations.ts';
import { fromWire, toWire, wireSchema } from './wire/wire-names.ts';

export { AccountsError, type AccountsErrorCode } from './accounts-error.ts';
export type * from './api.ts';

export interface AccountsClientOptions {
  /** The URL of the admin API, without `/admin`. */
  readonly url: URL;
  /** The token of the admin API. */
  readonly token?: string | undefined;
  /** Default 10,000: a password check may wait for its turn, and for a directory. */
  readonly timeoutMs?: number | undefined;
}

/** The codes of the admin API's errors. */
const codes: Readonly<Record<string, AccountsErrorCode>> = {
  expired_progress: 'expired_progress',
  accounts_unavailable: 'unavailable',
  not_supported: 'not_supported',
  invalid_request: 'invalid_input',
};

const codeOf = (status: number, error: unknown): AccountsErrorCode => {
  const code = typeof error === 'string' ? codes[error] : undefined;
  if (code !== undefined) return code;
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 404) return 'not_supported';
  return status === 503 || status === 502 || status === 504 ? 'unavailable' : 'failed';
};

const remedies: Partial<Record<AccountsErrorCode, string>> = {
  unauthorized: 'Check the token of the admin API.',
  not_supported: 'Check the section accounts in the configuration of Carnet.',
};

const refusal = async (name: string, response: Response): Promise<AccountsError> => {
  const body: unknown = await response.json().catch(() => undefined);
  const { error } = (typeof body === 'object' && body !== null ? body : {}) as { error?: unknown };
  const code = codeOf(response.status, error);
  const remedy = remedies[code] === undefined ? '' : ` ${remedies[code]}`;
  return new AccountsError(code, `accounts/${name}: the admin API answered ${response.status}.${remedy}`);
};

const send = async (name: string, json: unknown, options: AccountsClientOptions): Promise<Response> => {
  const { timeoutMs = 10_000 } = options;
  try {
    return await requestAdmin({ ...options, timeoutMs }, { method: 'POST', path: `/accounts/${name}`, json });
  } catch (cause) {
    throw new AccountsError('unavailable', `accounts/${name}: the admin API does not answer.`, { cause });
  }
};

/**
 * The accounts API over HTTP, for a login app: the same operations as in process.
 *
 * Every operation throws AccountsError: `unavailable` if Carnet, a directory or the accounts database does not answer,
 * `unauthorized` if the token is wrong, `not_supported` if accounts are off.
 */
export const createAccountsClient = (options: AccountsClientOptions): Accounts =>
  createAccountsOf(({ path, input, output }) => {
    const answer = wireSchema(output);
    return async (given = {}) => {
      const response = await send(path, toWire(input, given), options);
      if (!response.ok) throw await refusal(path, response);
      const body = answer.safeParse(await response.json().catch(() => undefined));
      // Without the cause: the answer may hold a sealed progress or recovery codes.
      if (!body.success) throw new AccountsError('failed', `accounts/${path}: the answer is not valid.`);
      return fromWire(output, body.data);
    };
  });
