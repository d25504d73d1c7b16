import { expect, test } from 'vitest';
import { startWithAda } from './start-accounts.ts';

const start = async (config: Parameters<typeof startWithAda>[0] = {}) => {
  const instance = await startWithAda(config);
  const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const json = body === undefined ? undefined : JSON.stringify(body);
    const response = await fetch(`${instance.admin}/admin/groups${path}`, { method, headers, body: json });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
  };
  return { ...instance, send };
};

test('/admin/groups creates, lists, changes and deletes groups', async () => {
  const { send, subject, call, logLines } = await start();
  const created = await send('POST', '', { name: 'Staff', members: [subject] });
  expect(created).toMatchObject({ status: 201, body: { name: 'Staff', version: expect.any(String) } });
  const path = `/${created.body.id}`;
  expect((await send('GET', path)).headers.get('etag')).toBe(`"${created.body.version}"`);
  for (const query of ['?search=st', '?name=STAFF', `?member=${subject}`, '?page_size=1'])
    expect((await send('GET', query)).body).toEqual([created.body]);
  expect((await send('GET', `${path}/members`)).body).toEqual([
    { subject, name: 'Ada Lovelace', detail: 'ada@example.com' },
  ]);
  expect((await call('account/show', { subject })).body.claims.groups).toEqual(['Staff']);
  const stale = { 'if-match': '"1"' };
  expect((await send('PATCH', path, { name: 'Crew' }, stale)).status).toBe(412);
  expect((await send('PATCH', path, { name: 'Crew', external_id: 'x', remove_members: [subject] })).body).toMatchObject(
    {
      name: 'Crew',
      external_id: 'x',
    },
  );
  expect((await send('GET', '?external_id=x')).body).toHaveLength(1);
  expect((await call('account/show', { subject })).body.claims).not.toHaveProperty('groups');
  expect((await send('DELETE', path, undefined, stale)).status).toBe(412);
  expect((await send('DELETE', path)).status).toBe(204);
  expect((await send('GET', path)).status).toBe(404);
  const audits = logLines.map((line) => JSON.parse(line).audit).filter((audit) => audit?.group === created.body.id);
  expect(audits.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
    ...['group.add success', 'group.create success', 'group.update denied', 'group.remove success'],
    ...['group.update success', 'group.delete denied', 'group.delete success'],
  ]);
});

test.each([
  ['POST', '', {}, 400, "'name'"],
  ['POST', '', { name: 'a\nb' }, 400, "'name'"],
  ['POST', '', { name: '  ' }, 400, "'name'"],
  ['POST', '', { name: 'x', members: ['other.user'] }, 400, "'members'"],
  ['POST', '', { name: 'x', member: [] }, 400, "'member'"],
  ['PATCH', '/absent', { name: 'x' }, 404, 'no group'],
  ['GET', '/absent/members', undefined, 404, 'no group'],
  ['GET', '?page_size=501', undefined, 400, "'page_size'"],
])('the error names what is wrong: %s %s %j', async (method, path, body, status, named) => {
  const answer = await (await start()).send(method, path, body);
  expect(answer.status).toBe(status);
  expect(answer.body.error_description).toContain(named);
});

test('/admin/groups needs a token with the right `users`; `carnet.groups` has the same functions', async () => {
  const value = (name: string) => `a-token-of-the-tests-${name}`;
  const rights = ['login', 'accounts', 'users'] as const;
  const tokens = rights.map((name) => ({ name, rights: [name], value: value(name) }));
  const { send, carnet } = await start({ admin: { tokens } });
  const statusFor = async (name: string) =>
    (await send('POST', '', { name }, { authorization: `Bearer ${value(name)}` })).status;
  expect(await Promise.all(rights.map(statusFor))).toEqual([403, 403, 201]);
  expect((await carnet.groups?.list())?.groups).toMatchObject([{ name: 'users' }]);
  await expect(carnet.groups?.create({ name: 'USERS' })).rejects.toMatchObject({ code: 'conflict', field: 'name' });
});
