import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPasswordHashing } from '@carnet/accounts/directory';
import { createUsers, openAccountsDatabase } from '@carnet/accounts-sql';
import type { ConfigInput } from '@carnet/provider';
import { onTestFinished } from 'vitest';
import { startInTest } from '../before-tests.ts';
import type { Instance, StartOptions } from '../harness.ts';

export const password = 'correct horse battery';

/** An accounts database in a file of its own, removed after the test. */
export const sqliteUrl = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'carnet-accounts-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return `sqlite:${join(folder, 'accounts.db')}`;
};

/** Creates ada@example.com in an accounts database, and returns the user's id. */
export const createAda = async (url: string): Promise<string> => {
  const database = await openAccountsDatabase({ url, migrate: true });
  try {
    const users = createUsers({ database, hashing: createPasswordHashing() });
    const creation = await users.create({ email: 'ada@example.com', password, claims: { name: 'Ada Lovelace' } });
    if (!creation.created) throw new Error(creation.reason);
    return creation.user.id;
  } finally {
    await database.close();
  }
};

export interface OperationAnswer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: the tests look into what is answered
  readonly body: any;
}

export interface AccountsInstance extends Instance {
  /** Calls an operation over HTTP. */
  call(operation: string, input: unknown, headers?: Record<string, string>): Promise<OperationAnswer>;
}

/** A provider with the users of an accounts database, until the end of the test. */
export const startAccounts = async (
  database: string,
  { config, ...options }: StartOptions & { readonly config?: ConfigInput } = {},
): Promise<AccountsInstance> => {
  const accounts = { database, directories: [{ name: 'users', kind: 'sql' as const }], ...config?.accounts };
  const instance = await startInTest({ ...options, config: { ...config, accounts } });
  return {
    ...instance,
    call: async (operation, input, headers = {}) => {
      const response = await fetch(`${instance.admin}/admin/accounts/${operation}`, {
        method: 'POST',
        headers,
        body: typeof input === 'string' ? input : JSON.stringify(input),
      });
      return { status: response.status, headers: response.headers, body: await response.json() };
    },
  };
};

/** `startAccounts` with ada@example.com, and her subject. */
export const startWithAda = async (config: ConfigInput = {}, url = sqliteUrl()) => {
  const subject = `users.${await createAda(url)}`;
  return { ...(await startAccounts(url, { config })), subject };
};
