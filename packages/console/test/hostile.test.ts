import { expect, it } from 'vitest';
import { hostileText, startWithUsers, userUrl } from './start-with-users.ts';

/** Texts that break parsers, templates, databases and URLs. */
const texts = [
  hostileText,
  `"><svg onload=alert(1)>`,
  '\u0000',
  '\ud800',
  '%',
  '%00',
  '../../etc/passwd',
  "' OR 1=1 --",
  '{{7*7}}<%= 7 %>',
  '\u202etxt',
  '1e400',
  '-1',
  'null',
  '[]',
  'javascript:alert(1)',
  '//evil.test',
  '9999-99-99T99:99:99Z',
  'evt_zzzzzzzzzzzzzzz_999',
  'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.',
  `ey${'a'.repeat(5_000)}.e30.x`,
  'http://[::1',
  'http://localhost:4444/oauth2/auth?request_uri=http://169.254.169.254/',
  'carnet_at_',
  'a'.repeat(20_000),
] as const;

const parameters = [
  'q',
  'state',
  'after',
  'subject',
  'client_id',
  'request_id',
  'type',
  'since',
  'until',
  'id',
] as const;
const lists = ['/users', '/sessions', '/sessions/consents', '/events', '/events/live', '/webhooks'] as const;
const changes = [
  ...['disable', 'enable', 'unlock', 'unlink', 'invite', 'recover', 'delete', 'end-sessions', 'reset-factors'],
] as const;

it('1,000 hostile inputs cause no failure of the server, and nothing of them becomes markup', async () => {
  const { get, post, users } = await startWithUsers();
  await users.create({ username: 'eve', claims: { name: hostileText } });
  const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());
  const requests: (() => Promise<Response>)[] = [];
  for (const text of texts) {
    for (const list of lists)
      for (const name of parameters) requests.push(() => get(`${list}?${name}=${encoded(text)}`));
    requests.push(
      () => get(`/users/${encoded(text)}`),
      () => get(`/webhooks/${encoded(text)}`),
    );
    for (const change of changes)
      requests.push(() => post(userUrl(text.toWellFormed(), change), { login: text, id: text }));
    for (const path of [
      '/sessions/end',
      '/sessions/end-all',
      '/sessions/consents/revoke',
      '/sessions/consents/revoke-all',
    ])
      requests.push(() => post(path, { subject: text, sid: text, id: text }));
    requests.push(
      () => post('/refusals', { text }),
      () => post('/refusals', { text: `client_id=${encoded(text)}` }),
    );
  }
  expect(requests.length).toBeGreaterThan(1_000);
  const wrong: unknown[] = [];
  for (const [at, request] of requests.entries()) {
    const response = await request();
    const page = await response.text();
    const isMarkup = /<script>alert|<img src=x|<svg onload|href="(?:javascript:|\/\/)/.test(page);
    if (response.status >= 500 || isMarkup) wrong.push([at, response.status, response.url]);
  }
  expect(wrong).toEqual([]);
}, 120_000);
