import { openAdapter } from '@carnet/adapter-datastore';
import { startDatastore } from '@carnet/test-servers';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { expect, test } from 'vitest';
import { startBeforeTests } from '../before-tests.ts';
import { registerClient } from '../clients.ts';
import { introspect, login } from '../login.ts';

const server = beforeTests(startDatastore);
const adapter = beforeTests(() =>
  openAdapter({ url: `datastore:${server.projectId}?endpoint=${server.host}&timeout=30000` }),
);
const instance = startBeforeTests({ adapter });

test('a login on Datastore is one Commit and no other request, once the client is cached', {
  timeout: 90_000,
}, async () => {
  const client = await registerClient(instance, 'app');
  const countLogin = async () => {
    const before = (await server.statistics()).calls;
    const { access_token } = await login(instance, client);
    const after = (await server.statistics()).calls;
    expect(after.Commit - before.Commit).toBe(1);
    expect(await introspect(instance, access_token)).toMatchObject({ active: true });
    return (
      after.Lookup + after.RunQuery + after.BeginTransaction - before.Lookup - before.RunQuery - before.BeginTransaction
    );
  };
  // The cache keeps a client for a few seconds: on a busy machine it may be read again during a login.
  await expect.poll(countLogin, { timeout: 60_000 }).toBe(0);
});
