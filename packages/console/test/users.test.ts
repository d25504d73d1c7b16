import { expect, it } from 'vitest';
import { startConsole } from './start-console.ts';
import { hostileText, startWithUsers, userUrl } from './start-with-users.ts';

const operator = { operator: 'op', outcome: 'success' };

it('any id finds a user: a login name, the beginning of a name, and the subject', async () => {
  const { users, text } = await startWithUsers();
  const { subject } = await users.create({ email: 'ada@example.com', claims: { name: 'Ada Lovelace' } });
  await users.create({ username: 'bob', claims: { name: 'Bob' }, state: 'locked' });
  for (const q of ['ada@example.com', 'Ada L', subject, ` ${subject} `]) {
    const page = await text(`/users?q=${encodeURIComponent(q)}`);
    expect(page).toContain('Ada Lovelace');
    expect(page).not.toContain('>Bob<');
  }
  expect(await text('/users?q=eve')).toContain('Nothing found');
  expect(await text('/users?state=locked')).not.toContain('Ada Lovelace');
  expect(await text('/users')).toMatch(/Ada Lovelace[\s\S]*>Bob<|>Bob<[\s\S]*Ada Lovelace/);
});

it('a list has pages, and its filters survive', async () => {
  const { users, text } = await startWithUsers();
  for (let at = 0; at < 55; at++) await users.create({ username: `user${String(at).padStart(2, '0')}` });
  const first = await text('/users?q=user&state=active');
  const [, next = ''] = /rel="next" href="\/console([^"]+)"/.exec(first) ?? [];
  const second = await text(next.replaceAll('&amp;', '&'));
  const subjects = [...(first + second).matchAll(/href="\/console\/users\/(people\.[^"]+)"/g)].map(([, id]) => id);
  expect(new Set(subjects).size).toBe(55);
  expect(second).toContain('value="user"');
  expect(second).toContain('<option value="active" selected>');
});

it('the page of a user shows claims and states without running them', async () => {
  const { users, text } = await startWithUsers();
  const { subject } = await users.create({ username: 'eve', claims: { name: hostileText, [hostileText]: { a: [1] } } });
  const page = await text(userUrl(subject));
  expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(page).not.toContain('<script>alert');
  expect(page).not.toContain('<img');
  expect(await text(`/users?q=${encodeURIComponent('eve')}`)).not.toContain('<script>alert');
});

it('the page of a user has words for values that are true, false, lists or absent', async () => {
  const { users, text } = await startWithUsers();
  const claims = { groups: ['support', 'sales'], resident: false };
  const { subject } = await users.create({ username: 'eve', claims });
  const page = await text(userUrl(subject));
  expect(page).toContain('<dt>groups</dt><dd>support, sales</dd>');
  expect(page).toContain('<dt>resident</dt><dd>no</dd>');
  expect(page).toContain('<dt>Groups</dt><dd>none</dd>');
});

it('an operator disables, enables, unlocks and deletes a user, and each change has an audit record', async () => {
  const { users, post, audits } = await startWithUsers();
  const { subject } = await users.create({ username: 'bob' });
  const to = (change: string, fields = {}) => post(userUrl(subject, change), fields);
  const stateOf = async () => (await users.get({ subject })).state;
  expect((await to('disable')).status).toBe(303);
  expect(await stateOf()).toBe('disabled');
  await to('enable');
  expect(await stateOf()).toBe('active');
  await users.update({ subject, state: 'locked' });
  await to('unlock');
  expect(await stateOf()).toBe('active');
  for (const change of ['end-sessions', 'reset-factors']) expect((await to(change)).status).toBe(303);
  expect((await to('delete', { login: 'eve' })).status).toBe(400);
  expect(await stateOf()).toBe('active');
  expect((await to('delete', { login: 'bob' })).headers.get('location')).toBe('/console/users');
  await expect(users.get({ subject })).rejects.toMatchObject({ code: 'not_found' });
  const verbs = ['disable', 'enable', 'unlock', 'endSessions', 'resetFactors', 'delete'];
  expect(audits()).toEqual(verbs.map((verb) => ({ action: `console.user.${verb}`, subject, ...operator })));
});

it('the page warns operators who would disable or delete their own user', async () => {
  const { carnet, users, text } = await startWithUsers();
  const { subject } = await users.create({ username: 'op' });
  const warning = 'you lose access to this console';
  expect(await text(userUrl(subject))).not.toContain(warning);
  const own = await startConsole({}, { subject, name: 'Op', role: 'operator' }, { carnet });
  const page = await (await own.get(userUrl(subject))).text();
  expect(page.split(warning)).toHaveLength(3);
});

it('an operator sends invitations and recovery emails, only to users who can get them', async () => {
  const { users, post, text } = await startWithUsers();
  const { subject } = await users.create({ email: 'ada@example.com' });
  expect(await text(userUrl(subject))).toContain('Send an invitation');
  const sent = await post(userUrl(subject, 'invite'), {});
  expect(await text(sent.headers.get('location')?.replace('/console', '') ?? '')).toContain('The email is on its way');
  expect((await post(userUrl(subject, 'recover'), {})).status).toBe(303);
  const bob = await users.create({ username: 'bob' });
  expect((await post(userUrl(bob.subject, 'recover'), {})).status).toBe(400);
});

it('a viewer reads users and changes none', async () => {
  const { users, get, post, text } = await startWithUsers({ role: 'viewer' });
  const { subject } = await users.create({ email: 'ada@example.com' });
  expect(await text(userUrl(subject))).not.toContain('<form method="post" action="/console/users');
  for (const change of 'disable enable unlock end-sessions reset-factors unlink invite recover delete'.split(' '))
    expect((await post(userUrl(subject, change), { login: 'ada@example.com' })).status).toBe(403);
  expect((await users.get({ subject })).state).toBe('active');
  expect((await get('/users')).status).toBe(200);
});

it('a user who does not exist has a page with 404', async () => {
  const { get } = await startWithUsers();
  expect((await get(userUrl('people.unknown'))).status).toBe(404);
});
