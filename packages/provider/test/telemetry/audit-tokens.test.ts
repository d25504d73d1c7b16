import { expect, it } from 'vitest';
import { sqliteUrl, startAccounts } from '../accounts/start-accounts.ts';
import { sendJson } from '../call.ts';

const values = {
  support: 'a-value-of-the-support-team',
  ops: 'a-value-of-the-operators',
  'admin.token': 'a-value-for-everything',
};

const open = async () => {
  const config = {
    admin: {
      token: values['admin.token'],
      tokens: [
        { name: 'support', rights: ['accounts' as const], value: values.support },
        { name: 'ops', rights: ['read' as const, 'all' as const], value: values.ops },
      ],
    },
  };
  const instance = await startAccounts(sqliteUrl(), { config });
  const record = (): unknown => {
    const line = instance.logLines.findLast((each) => each.includes('"audit":{')) ?? '{}';
    return (JSON.parse(line) as { audit?: unknown }).audit;
  };
  const createClient = async (value: string, client_id: string) =>
    (await sendJson('POST', `${instance.admin}/admin/clients`, { client_id }, value)).status;
  return { instance, record, createClient };
};

it('the audit record of a change names the admin token of the request', async () => {
  const { record, createClient, instance } = await open();
  expect(await createClient(values.ops, 'shop')).toBe(201);
  expect(record()).toMatchObject({ action: 'client.create', outcome: 'success', adminTokenName: 'ops' });
  expect(await createClient(values['admin.token'], 'crm')).toBe(201);
  expect(record()).toMatchObject({ byAdmin: true, adminTokenName: 'admin.token' });
  for (const value of Object.values(values)) expect(instance.log()).not.toContain(value);
});

it('the audit record of a refused request names the admin token that lacks the right, and none for a wrong token', async () => {
  const { record, createClient } = await open();
  expect(await createClient(values.support, 'shop')).toBe(403);
  expect(record()).toMatchObject({ action: 'client.create', outcome: 'denied', adminTokenName: 'support' });
  expect(await createClient('a-wrong-value-of-a-token', 'shop')).toBe(401);
  expect(record()).toMatchObject({ action: 'client.create', outcome: 'denied' });
  expect(record()).not.toHaveProperty('adminTokenName');
});

it('the audit record of a change of a user names the admin token, and none after a call of the application', async () => {
  const { instance, record } = await open();
  const { body } = await instance.call(
    'factors/pin',
    { subject: 'users.ada', pin: '4711' },
    { authorization: `Bearer ${values.support}` },
  );
  expect(body).toHaveProperty('factor');
  expect(record()).toMatchObject({ action: 'factor.added', subject: 'users.ada', adminTokenName: 'support' });
  await instance.carnet.accounts?.factors.reset({ subject: 'users.ada' });
  expect(record()).toMatchObject({ action: 'factor.reset', subject: 'users.ada' });
  expect(record()).not.toHaveProperty('adminTokenName');
});

it('requests at the same time have audit records with their own admin tokens', async () => {
  const { instance, createClient } = await open();
  const calls = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? 'ops' : 'admin.token'));
  await Promise.all(calls.map((name, index) => createClient(values[name as keyof typeof values], `${index}`)));
  const names = instance.logLines
    .filter((line) => line.includes('"client.create"'))
    .map((line) => /adminTokenName":"([\w.]+)/.exec(line)?.[1]);
  expect(names.toSorted()).toEqual(calls.toSorted());
});
