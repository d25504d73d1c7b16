import { readdirSync, readFileSync } from 'node:fs';
import { auditActions } from '@carnet/events';
import { expect, it } from 'vitest';
import { startInTest } from '../before-tests.ts';
import { sendJson } from '../call.ts';
import { registerClient } from '../clients.ts';
import { login } from '../login.ts';

/** The actions that a text gives to audit records, and to routes of the admin API. */
const actionsIn = (text: string): readonly string[] => [
  ...[...text.matchAll(/(?:action|audit): '([a-z_.]+)'/g)].map(([, action = '']) => action),
  ...[...text.matchAll(/audited\('([a-z_.]+)'/g)].map(([, action = '']) => action),
];

const sourcesOf = (name: string): readonly string[] => {
  const folder = new URL(`../../../${name}/src/`, import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith('.ts')).map((file) => readFileSync(new URL(file, folder), 'utf8'));
};

it('each action of the audit log has a type of event', () => {
  const actions = new Set(
    [...sourcesOf('provider'), ...sourcesOf('events')].flatMap(actionsIn).filter((action) => action.includes('.')),
  );
  expect(actions.size).toBeGreaterThan(15);
  expect([...actions].filter((action) => !auditActions.has(action))).toEqual([]);
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
  await new Promise((resolve) => setTimeout(resolve, 1_200));
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

it('without the section there are no events, and no routes', async () => {
  const instance = await startInTest();
  expect(instance.carnet.events).toBeUndefined();
  expect((await sendJson('GET', `${instance.admin}/admin/events`)).status).toBe(404);
});
