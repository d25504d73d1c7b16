import { readdirSync, readFileSync } from 'node:fs';
import { auditActions } from '@carnet/events';
import { waitUntil } from '@carnet/test-servers';
import { expect, it } from 'vitest';
import { startInTest } from '../before-tests.ts';
import { sendJson } from '../call.ts';
import { registerClient } from '../clients.ts';
import { login } from '../login.ts';

/** The quoted names that a pattern finds in a text. */
const quotedIn = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].flatMap(([part]) => [...part.matchAll(/'([a-z_.]+)'/g)].map(([, name = '']) => name));

/** The actions that a text gives to audit records, and to routes of the admin API. Other members `action` have no dot. */
const actionsIn = (text: string): readonly string[] =>
  quotedIn(text, /(?:\b(?:action|audit)\??: |\b(?:audited|success)\()'[a-z_.]+'(?: \| '[a-z_.]+')*/g).filter((action) =>
    action.includes('.'),
  );

/** The actions that the type declares: the compiler accepts no others, also in templates such as `user.${action}`. */
const declaredActionsIn = (text: string): readonly string[] => quotedIn(text, /\btype AuditAction =[^;]*;/g);

const sourcesOf = (name: string): readonly string[] => {
  const folder = new URL(`../../../${name}/src/`, import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(new URL(file, folder), 'utf8'));
};

it('each action of the audit log has a type of event, and there are no others', () => {
  const sources = ['provider', 'accounts', 'scim', 'events'].flatMap(sourcesOf);
  const actions = new Set(sources.flatMap((text) => [...actionsIn(text), ...declaredActionsIn(text)]));
  expect([...actions].toSorted()).toEqual([...auditActions].toSorted());
});

it('operations.md lists each action of the audit log', () => {
  const text = readFileSync(new URL('../../../../docs/operate/operations.md', import.meta.url), 'utf8');
  const [, table = ''] = /The actions are:\n\n([\s\S]*?)\n\n/.exec(text) ?? [];
  const cells = table.split('\n').map((row) => row.split(' | ')[0] ?? '');
  let thing = '';
  const listed = [...cells.join().matchAll(/`([a-z_.]+)`/g)].map(([, name = '']) => {
    // `.update` after `user.create` is `user.update`.
    if (name.startsWith('.')) return thing + name;
    [thing = ''] = name.split('.');
    return name;
  });
  expect(listed.toSorted()).toEqual([...auditActions].toSorted());
});

it('a login has as many commits of its own with events as without, and its events are stored in one more', async () => {
  const figures = await Promise.all(
    [undefined, {}].map(async (events) => {
      const instance = await startInTest({ config: { events } });
      const client = await registerClient(instance, 'shop');
      instance.calls.reset();
      for (let at = 0; at < 5; at++) await login(instance, client);
      await instance.stop();
      const ofEvents = instance.calls.commits.filter((writes) => JSON.stringify(writes).includes('"kind":"event"'));
      return { logins: instance.calls.commits.length - ofEvents.length, ofEvents: ofEvents.length };
    }),
  );
  expect(figures[0]).toEqual({ logins: 5, ofEvents: 0 });
  // The minute is created once.
  expect(figures[1]?.logins).toBe(5);
  expect(figures[1]?.ofEvents).toBeLessThanOrEqual(4);
});

it('the admin API lists events as documented, and names unknown webhooks and parameters', async () => {
  let aheadMs = 0;
  const instance = await startInTest({ config: { events: {} }, now: () => Date.now() + aheadMs });
  await sendJson('POST', `${instance.admin}/admin/clients`, { client_id: 'shop' });
  await sendJson('DELETE', `${instance.admin}/admin/clients/unknown`);
  const recent = async () =>
    (await instance.carnet.events?.list({ recent: true, since: new Date(Date.now() - 60_000) }))?.events;
  await waitUntil('two stored events', async () => (await recent())?.length === 2);
  aheadMs = 60_000;
  const since = new Date(Date.now() - 60_000).toISOString();
  const { status, body } = await sendJson('GET', `${instance.admin}/admin/events?since=${since}`);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    has_more: false,
    events: [
      { type: 'client.created', data: { outcome: 'success', by_admin: true } },
      { type: 'admin.refused', data: { action: 'client.delete', client_id: 'unknown' } },
    ],
  });
  const again = await sendJson('GET', `${instance.admin}/admin/events?after=${body.next}`);
  expect(again.body).toMatchObject({ events: [] });
  const refused = async (query: string) => (await sendJson('GET', `${instance.admin}/admin/events?${query}`)).status;
  expect(await refused('type=user.unknown')).toBe(400);
  expect(await refused('after=1')).toBe(400);
  expect(await refused('page_size=501')).toBe(400);
  expect((await sendJson('POST', `${instance.admin}/admin/webhooks/none/test`)).status).toBe(404);
});

it('the request id of an error page leads to the reason', async () => {
  const instance = await startInTest({ config: { events: {} } });
  await registerClient(instance, 'shop');
  const query = new URLSearchParams({
    client_id: 'shop',
    response_type: 'code',
    redirect_uri: 'https://evil.example/',
  });
  const answer = await fetch(`${instance.issuer}/oauth2/auth?${query}`, { redirect: 'manual' });
  const requestId = new URL(answer.headers.get('location') ?? '').searchParams.get('request_id');
  const search = () => sendJson('GET', `${instance.admin}/admin/events/search?request_id=${requestId}`);
  await waitUntil('the stored event', async () => JSON.stringify((await search()).body).includes('request.refused'));
  expect((await search()).body.events).toEqual([
    expect.objectContaining({
      type: 'request.refused',
      data: { outcome: 'denied', reason: 'invalid_redirect_uri', request_id: requestId },
    }),
  ]);
  for (const wrong of ['after=1', 'since=yesterday', 'type=no', 'page_size=0', 'id=1'])
    expect((await sendJson('GET', `${instance.admin}/admin/events/search?${wrong}`)).status).toBe(400);
});

it('without the section there are no events, and no routes', async () => {
  const instance = await startInTest();
  expect(instance.carnet.events).toBeUndefined();
  expect((await sendJson('GET', `${instance.admin}/admin/events`)).status).toBe(404);
});
