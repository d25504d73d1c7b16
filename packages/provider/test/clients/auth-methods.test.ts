import * as oidc from 'openid-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { postForm } from '../call.ts';
import { type Instance, start } from '../harness.ts';
import type { Json } from '../login.ts';

const secret = 'a chosen secret of the tests';
const grant = { grant_type: 'client_credentials', scope: 'openid' };
const basic = 'client_secret_basic';
const post = 'client_secret_post';

interface Sent {
  readonly secret?: string;
  readonly id: string;
}
const requests: Readonly<Record<string, (sent: Sent) => [URLSearchParams, Record<string, string>]>> = {
  [basic]: ({ id, secret: sent = secret }) => {
    const credentials = `${encodeURIComponent(id)}:${encodeURIComponent(sent)}`;
    return [new URLSearchParams(grant), { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }];
  },
  [post]: ({ id, secret: sent = secret }) => [
    new URLSearchParams({ ...grant, client_id: id, client_secret: sent }),
    {},
  ],
  none: ({ id }) => [new URLSearchParams({ ...grant, client_id: id }), {}],
};

const instances: Instance[] = [];
afterAll(async () => {
  for (const instance of instances) await instance.stop();
});
const open = async (options: Parameters<typeof start>[0] = {}): Promise<Instance> => {
  const instance = await start(options);
  instances.push(instance);
  return instance;
};

const admin = async ({ admin: url }: Instance, method: string, path: string, sent?: unknown) => {
  const response = await fetch(`${url}/admin/clients${path}`, { method, body: JSON.stringify(sent) });
  return { status: response.status, body: (await response.json()) as Json };
};
const create = async (instance: Instance, id: string, metadata: Json = {}): Promise<Json> => {
  const sent = { client_id: id, client_secret: secret, grant_types: ['client_credentials'], ...metadata };
  const { status, body } = await admin(instance, 'POST', '', sent);
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
};
const ask = ({ issuer }: Instance, method: string, sent: Sent) => {
  const [form, headers] = (requests[method] as (typeof requests)[string])(sent);
  return postForm(`${issuer}/oauth2/token`, form, headers);
};
/** Whether a client gets tokens by the one method and by the other, twice each: the second time the secret is known. */
const works = async (instance: Instance, id: string): Promise<Record<string, boolean>> => {
  const found: Record<string, boolean> = {};
  for (const method of [basic, post, basic, post]) {
    const isGranted = (await ask(instance, method, { id })).status === 200;
    expect(found[method] ?? isGranted).toBe(isGranted);
    found[method] = isGranted;
  }
  return found;
};
const both = { [basic]: true, [post]: true };
const only = (method: string) => ({ [basic]: method === basic, [post]: method === post });
const lastAudit = ({ logLines }: Instance): Json =>
  (JSON.parse(logLines.findLast((line) => line.includes('"audit"')) ?? '{}') as { audit: Json }).audit;

describe('the method of a client', () => {
  let instance: Instance;
  beforeAll(async () => {
    instance = await open();
  });

  test('a client that has registered no method sends its secret in either place', async () => {
    expect((await create(instance, 'open')).token_endpoint_auth_method).toBe(basic);
    expect(await works(instance, 'open')).toEqual(both);
    for (const method of [basic, post]) {
      const wrong = await ask(instance, method, { id: 'open', secret: 'another secret' });
      expect([wrong.status, wrong.body.error_description]).toEqual([401, 'client authentication failed']);
    }
    expect((await ask(instance, 'none', { id: 'open' })).status).toBe(401);
  });

  test.each([basic, post])('a client that has registered %s uses that and no other', async (method) => {
    await create(instance, method, { token_endpoint_auth_method: method });
    expect(await works(instance, method)).toEqual(only(method));
  });

  test.each([
    [basic, post],
    [post, basic],
    [basic, 'none'],
    ['none', basic],
    ['none', post],
  ])('401 names %s to a client that used %s, in the answer and in the audit record', async (registered, used) => {
    const id = `${registered}-by-${used}`;
    const grant_types = ['authorization_code'];
    await create(instance, id, { token_endpoint_auth_method: registered, grant_types });
    for (const sent of [{ id }, { id, secret: 'another secret' }]) {
      const { status, headers, body } = await ask(instance, used, sent);
      expect(status).toBe(401);
      const error_description = `client authentication failed: token_endpoint_auth_method of the client is ${registered}, and the request used ${used}`;
      expect(body).toEqual({ error: 'invalid_client', error_description });
      if (used === basic) expect(headers.get('www-authenticate')).toContain(`error_description="${error_description}"`);
      expect(lastAudit(instance)).toMatchObject({
        outcome: 'denied',
        reason: 'invalid_client',
        clientId: id,
        registeredAuthMethod: registered,
      });
    }
    expect(instance.log()).not.toContain(secret);
  });

  test('401 names no method for a wrong secret in the right place, nor for an unknown client', async () => {
    await create(instance, 'strict', { token_endpoint_auth_method: basic });
    for (const sent of [{ id: 'strict', secret: 'another secret' }, { id: 'nobody' }]) {
      const { status, body } = await ask(instance, basic, sent);
      expect([status, body.error_description]).toEqual([401, 'client authentication failed']);
      expect(lastAudit(instance)).not.toHaveProperty('registeredAuthMethod');
    }
  });

  test('openid-client, which posts its secret unless it is configured, gets tokens of a client without a method', async () => {
    await create(instance, 'v6');
    const execute = [oidc.allowInsecureRequests];
    const config = await oidc.discovery(new URL(instance.issuer), 'v6', secret, undefined, { execute });
    expect((await oidc.clientCredentialsGrant(config, { scope: 'openid' })).token_type).toBe('bearer');
    await create(instance, 'v6-basic', { token_endpoint_auth_method: basic });
    const strict = await oidc.discovery(new URL(instance.issuer), 'v6-basic', secret, undefined, { execute });
    await expect(oidc.clientCredentialsGrant(strict)).rejects.toMatchObject({
      error_description: expect.stringContaining(`is ${basic}`),
    });
  });
});

describe('the choice of an authentication method', () => {
  let instance: Instance;
  beforeAll(async () => {
    instance = await open({ config: { oidc: { dynamicClientRegistration: { enabled: true } } } });
  });
  const patch = (id: string, ...operations: Json[]) => admin(instance, 'PATCH', `/${id}`, operations);
  const method = '/token_endpoint_auth_method';

  test('a PUT of what a GET has returned keeps the choice', async () => {
    await create(instance, 'round');
    await create(instance, 'round-basic', { token_endpoint_auth_method: basic });
    for (const id of ['round', 'round-basic']) {
      const { body } = await admin(instance, 'GET', `/${id}`);
      expect((await admin(instance, 'PUT', `/${id}`, body)).status).toBe(200);
    }
    expect(await works(instance, 'round')).toEqual(both);
    expect(await works(instance, 'round-basic')).toEqual(only(basic));
  });

  test('a PATCH of another member, lifespans, or a new secret keeps the choice', async () => {
    await create(instance, 'patched');
    await patch('patched', { op: 'test', path: method, value: basic }, { op: 'add', path: '/client_name', value: 'N' });
    await admin(instance, 'PUT', '/patched/lifespans', {});
    await admin(instance, 'POST', '/patched/secrets/rotate');
    expect(await works(instance, 'patched')).toEqual(both);
  });

  test('a PATCH that names the method makes the choice, also by its default', async () => {
    await create(instance, 'chosen');
    await patch('chosen', { op: 'replace', path: method, value: basic });
    expect(await works(instance, 'chosen')).toEqual(only(basic));
    await patch('chosen', { op: 'remove', path: method });
    expect(await works(instance, 'chosen')).toEqual(both);
    await patch('chosen', { op: 'replace', path: method, value: post });
    expect(await works(instance, 'chosen')).toEqual(only(post));
  });

  test('a PUT changes the choice if it names another method, or names none after one was chosen', async () => {
    await create(instance, 'put');
    const put = (metadata: Json) =>
      admin(instance, 'PUT', '/put', { grant_types: ['client_credentials'], ...metadata });
    await put({ token_endpoint_auth_method: post });
    expect(await works(instance, 'put')).toEqual(only(post));
    await put({ token_endpoint_auth_method: basic });
    expect(await works(instance, 'put')).toEqual(only(basic));
    await put({});
    expect(await works(instance, 'put')).toEqual(both);
  });

  test('a client that registers and manages itself keeps the choice', async () => {
    const call = async (verb: string, url: string, sent: unknown, bearer?: unknown) => {
      const headers = bearer === undefined ? undefined : { authorization: `Bearer ${bearer}` };
      return (await (await fetch(url, { method: verb, headers, body: JSON.stringify(sent) })).json()) as Json;
    };
    const made = await call('POST', `${instance.issuer}/oauth2/register`, { redirect_uris: ['https://app.test/cb'] });
    expect(made.token_endpoint_auth_method).toBe(basic);
    const id = String(made.client_id);
    const isAuthenticated = async () => {
      const found: Record<string, boolean> = {};
      for (const one of [basic, post]) {
        const { body } = await ask(instance, one, { id, secret: String(made.client_secret) });
        found[one] = body.error !== 'invalid_client';
      }
      return found;
    };
    expect(await isAuthenticated()).toEqual(both);
    const { client_id_issued_at: _, ...shown } = made;
    const kept = await call('PUT', String(made.registration_client_uri), shown, made.registration_access_token);
    expect(await isAuthenticated()).toEqual(both);
    await call(
      'PUT',
      String(made.registration_client_uri),
      { ...shown, token_endpoint_auth_method: post },
      kept.registration_access_token,
    );
    expect(await isAuthenticated()).toEqual(only(post));
  });

  test('a record of an earlier release reads as chosen', async () => {
    await create(instance, 'earlier');
    const { records } = await instance.adapter.list({ kind: 'client', limit: 500 });
    const found = records.find(({ clientId }) => clientId === 'earlier');
    if (found === undefined) throw new Error('the client is not stored');
    const { isAuthMethodOpen, ...payload } = JSON.parse(found.payload);
    expect(isAuthMethodOpen).toBe(true);
    const { id, kind } = found;
    const record = { id, kind, clientId: 'later', expiresAt: null };
    const metadata = { ...payload.metadata, client_id: 'later' };
    const { clientKey } = await import('../../src/clients/client-record.ts');
    await instance.adapter.commit([
      { type: 'put', record: { ...record, ...clientKey('later'), payload: JSON.stringify({ ...payload, metadata }) } },
    ]);
    expect(await works(instance, 'later')).toEqual(only(basic));
  });
});
