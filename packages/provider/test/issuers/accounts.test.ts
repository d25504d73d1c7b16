import { bindAdapter } from '@carnet/adapter-contract';
import { openMemoryAdapter } from '@carnet/adapter-memory';
import type { ConfigInput } from '@carnet/provider';
import { openShared } from '@carnet/provider/server';
import { expect, onTestFinished, test } from 'vitest';
import { createAda, password, sqliteUrl, startAccounts } from '../accounts/start-accounts.ts';
import { testSecret } from '../harness.ts';

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {}, fatal: () => {} };

/** Issuers with the same secrets, store and users, whose sign-ins need a second factor. */
const startIssuers = async (...names: readonly (string | undefined)[]) => {
  const adapter = openMemoryAdapter();
  const config: ConfigInput = { dev: true, issuer: 'http://127.0.0.1', secrets: { system: [testSecret] } };
  const shared = await openShared(config, { adapter, logger: quiet });
  onTestFinished(() => shared.close());
  const database = sqliteUrl();
  await createAda(database);
  const accounts: ConfigInput['accounts'] = { secondFactors: { policy: 'required', kinds: ['totp'] } };
  return Promise.all(
    names.map((issuerName) =>
      startAccounts(database, { shared, issuerName, adapter: bindAdapter(adapter, issuerName), config: { accounts } }),
    ),
  );
};

test('a sign-in that began at one issuer is not continued at another', async () => {
  const issuers = await startIssuers('acme', 'shop', undefined);
  for (const issuer of issuers) {
    const given = { login: 'ada@example.com', password, binding: 'the login challenge of the victim' };
    const { body } = await issuer.call('sign-in/password', given);
    expect(body).toMatchObject({ state: 'enrol', progress: expect.any(String) });
    for (const other of issuers) {
      const owner = { progress: body.progress, binding: given.binding };
      const begun = await other.carnet.accounts?.factors
        .begin({ kind: 'totp', issuer: 'Carnet', owner })
        .catch((error: unknown) => error);
      expect(begun).toMatchObject(other === issuer ? { secret: expect.any(String) } : { code: 'expired_progress' });
    }
  }
});
