import * as oidc from 'openid-client';
import { describe, expect, test } from 'vitest';
import { clientKey } from '../../src/clients/client-record.ts';
import { startBeforeTests } from '../before-tests.ts';
import { adminClients, postForm, sendJson } from '../call.ts';
import { basicOf } from '../clients.ts';
import type { Instance } from '../harness.ts';
import type { Json } from '../login.ts';

const secret = 'a chosen secret of the tests';
const grant = { grant_type: 'client_credentials', scope: 'openid' };
const basic = 'client_secret_basic';
const post = 'client_secret_post';

interface Sent {
  readonly secret?: string;
  readonly id: string;
}
const requests: Readonly<Record<string, (sent: Sent) => [Record<string, string>, Record<string, string>]>> = {
  [basic]: ({ id, secret: sent = secret }) => [grant, basicOf({ id, secret: sent })],
  [post]: ({ id, secret: sent = secret }) => [{ ...grant, client_id: id, client_secret: sent }, {}],
  none: ({ id }) => [{ ...grant, client_id: id }, {}],
};

const create = async (instance: Instance, id: string, metadata: Json = {}): Promise<Json> => {
  const sent = { client_id: id, client_secret: secret, grant_types: ['client_credentials'], ...metadata };
  const { status, body } = await adminClients(instance, 'POST', '', sent);
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
  const instance = startBeforeTests();

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
      const record = { outcome: 'denied', reason: 'invalid_client', clientId: id, registeredAuthMethod: registered };
      expect(lastAudit(instance)).toMatchObject(record);
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
    const discover = (id: string) =>
      oidc.discovery(new URL(instance.issuer), id, secret, undefined, { execute: [oidc.allowInsecureRequests] });
    const config = await discover('v6');
    expect((await oidc.clientCredentialsGrant(config, { scope: 'openid' })).token_type).toBe('bearer');
    await create(instance, 'v6-basic', { token_endpoint_auth_method: basic });
    const strict = await discover('v6-basic');
    await expect(oidc.clientCredentialsGrant(strict)).rejects.toMatchObject({
      error_description: expect.stringContaining(`is ${basic}`),
    });
  });
});

describe('the choice of an authentication method', () => {
  const instance = startBeforeTests({ config: { oidc: { dynamicClientRegistration: { enabled: true } } } });
  const patch = (id: string, ...operations: Json[]) => adminClients(instance, 'PATCH', `/${id}`, operations);
  const method = '/token_endpoint_auth_method';

  test('a PUT of what a GET has returned keeps the choice', async () => {
    await create(instance, 'round');
    await create(instance, 'round-basic', { token_endpoint_auth_method: basic });
    for (const id of ['round', 'round-basic']) {
      const { body } = await adminClients(instance, 'GET', `/${id}`);
      expect((await adminClients(instance, 'PUT', `/${id}`, body)).status).toBe(200);
    }
    expect(await works(instance, 'round')).toEqual(both);
    expect(await works(instance, 'round-basic')).toEqual(only(basic));
  });

  test('a PATCH of another member, lifespans, or a new secret keeps the choice', async () => {
    await create(instance, 'patched');
    await patch('patched', { op: 'test', path: method, value: basic }, { op: 'add', path: '/client_name', value: 'N' });
    await adminClients(instance, 'PUT', '/patched/lifespans', {});
    await adminClients(instance, 'POST', '/patched/secrets/rotate');
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
      adminClients(instance, 'PUT', '/put', { grant_types: ['client_credentials'], ...metadata });
    await put({ token_endpoint_auth_method: post });
    expect(await works(instance, 'put')).toEqual(only(post));
    await put({ token_endpoint_auth_method: basic });
    expect(await works(instance, 'put')).toEqual(only(basic));
    await put({});
    expect(await works(instance, 'put')).toEqual(both);
  });

  test('a client that registers and manages itself keeps the choice', async () => {
    const metadata = { redirect_uris: ['https://app.test/cb'] };
    const made = (await sendJson('POST', `${instance.issuer}/oauth2/register`, metadata)).body;
    expect(made.token_endpoint_auth_method).toBe(basic);
    const put = async (sent: Json, bearer: unknown) =>
      (await sendJson('PUT', String(made.registration_client_uri), sent, bearer)).body;
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
    const kept = await put(shown, made.registration_access_token);
    expect(await isAuthenticated()).toEqual(both);
    await put({ ...shown, token_endpoint_auth_method: post }, kept.registration_access_token);
    expect(await isAuthenticated()).toEqual(only(post));
  });

  test('a record of an earlier release reads as chosen', async () => {
    await create(instance, 'earlier');
    const { records } = await instance.adapter.list({ kind: 'client', limit: 500 });
    const found = records.find(({ clientId }) => clientId === 'earlier');
    if (found === undefined) throw new Error('the client is not stored');
    const { isAuthMethodOpen, ...payload } = JSON.parse(found.payload);
    expect(isAuthMethodOpen).toBe(true);
    const metadata = { ...payload.metadata, client_id: 'later' };
    const record = { ...clientKey('later'), clientId: 'later', expiresAt: null };
    await instance.adapter.commit([
      { type: 'put', record: { ...record, payload: JSON.stringify({ ...payload, metadata }) } },
    ]);
    expect(await works(instance, 'later')).toEqual(only(basic));
  });
});
