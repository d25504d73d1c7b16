import { describe, expect, test } from 'vitest';
import { refusal } from '../call.ts';
import type { DocumentHost } from '../document-host.ts';
import { type Json, refresh } from '../login.ts';
import { useDocuments, visit } from './documents.ts';

const { host, open, documented } = useDocuments();

describe('a metadata document', () => {
  test.each<[string, Json]>([
    ['another client_id', { client_id: 'https://127.0.0.1/other' }],
    ['a secret', { client_secret: 'a secret of many characters' }],
    ['the expiry of a secret', { client_secret_expires_at: 0 }],
    ['client_secret_basic', { token_endpoint_auth_method: 'client_secret_basic' }],
    ['client_secret_post', { token_endpoint_auth_method: 'client_secret_post' }],
    ['client_secret_jwt', { token_endpoint_auth_method: 'client_secret_jwt' }],
    ['a method of certificates', { token_endpoint_auth_method: 'tls_client_auth' }],
    ['a private key', { jwks: { keys: [{ kty: 'EC', crv: 'P-256', x: 'x', y: 'y', d: 'd' }] } }],
    ['no redirect URI', { redirect_uris: [] }],
    ['a redirect URI that is a script', { redirect_uris: ['javascript:alert(1)'] }],
    ['a redirect URI of plain http', { redirect_uris: ['http://app.test/callback'] }],
    ['skip_consent', { skip_consent: true }],
    ['metadata of administrators', { metadata: { trusted: true } }],
    ['a name of 300 characters', { client_name: 'x'.repeat(300) }],
  ])('a document with %s is refused, by an error page and never a redirect', async (_what, document) => {
    const instance = await open();
    const id = documented(document);
    const { location } = await visit(instance, id);
    expect(location === null || location.startsWith('http://login.test/error')).toBe(true);
    expect(instance.log()).toContain('"action":"client.document","outcome":"denied"');
    expect(await refresh(instance, { id }, 'x')).toMatchObject(refusal('invalid_client'));
  });

  test.each<[string, Parameters<DocumentHost['answer']>[1]]>([
    ['a redirect', { status: 302, headers: { location: '/client-1.json' } }],
    ['text', { body: 'hello' }],
    ['a list', { body: '[]' }],
    ['an empty answer', {}],
    ['201', { status: 201, body: '{}' }],
    ['404', { status: 404 }],
    ['JSON with a member twice', { body: '{"client_id":"a","client_id":"b"}' }],
    ['more than 10 KB', { body: JSON.stringify({ client_name: 'x'.repeat(10_240) }) }],
  ])('gets the same answer whatever else is at its URL: %s', async (what, given) => {
    const instance = await open();
    const id = host().answer(`/${encodeURIComponent(what)}`, given);
    const { status, body } = await refresh(instance, { id }, 'x');
    const error_description = 'There is no metadata document of this client at the URL of its client_id.';
    expect([status, body]).toEqual([400, { error: 'invalid_client', error_description }]);
  });

  test('the document is fetched from the hosts of allowedHosts alone', async () => {
    const instance = await open({ allowedHosts: ['app.example.com', '*.trusted.test'] });
    const answer = await refresh(instance, { id: documented() }, 'x');
    expect(answer.body.error_description).toContain('accepts no clients from this host');
    expect(host().fetched).toEqual([]);
  });

  test('the document is never fetched from a private address that the configuration does not allow', async () => {
    const instance = await open();
    const answer = await refresh(instance, { id: 'https://10.0.0.1/client' }, 'x');
    expect(answer).toMatchObject(refusal('temporarily_unavailable', 503));
    expect(JSON.stringify(answer.body)).not.toContain('10.0.0.1');
    expect(instance.log()).toContain('private_address');
  });
});

test('the authorization and the token endpoint give the same reason where a document fails', async () => {
  const instance = await open({ maxFetchesPerMinute: 120 });
  const ids = [
    host().answer('/gone-twice', { status: 404 }),
    host().answer('/down-twice', { status: 503 }),
    documented({ client_secret: 'a secret of many characters' }),
  ];
  const answers = [];
  for (const id of ids) {
    const page = await visit(instance, id, { state: 'the-state-of-the-test-0123456789' });
    const { status, body } = await refresh(instance, { id }, 'x');
    answers.push([page.status, page.location, /<h1>(.*?)<\/h1>/.exec(page.text)?.[1], status, body.error]);
  }
  expect(answers).toEqual([
    [400, null, expect.any(String), 400, 'invalid_client'],
    [503, null, expect.any(String), 503, 'temporarily_unavailable'],
    [400, null, expect.any(String), 400, 'invalid_client'],
  ]);
});
