import { describe, expect, test } from 'vitest';
import { startBeforeTests } from '../before-tests.ts';
import { registerClient } from '../clients.ts';
import { credentialsFor, introspect, login, refresh } from '../login.ts';

const instance = startBeforeTests();

const audits = (action: string) => instance.logLines.filter((line) => line.includes(`"action":"${action}"`));

describe('carnet.clients', () => {
  test('creates, changes and deletes a client, each with an audit record', async () => {
    const { clients } = instance.carnet;
    const created = await clients.create({ client_id: 'shop', grant_types: ['client_credentials'], scope: 'read' });
    expect(created.redirect_uris).toEqual([]);
    const shop = { id: 'shop', secret: created.client_secret };
    expect((await credentialsFor(instance, shop)).status).toBe(200);
    const updated = await clients.update('shop', { client_name: 'Shop', owner: 'me', contacts: undefined });
    expect(updated).toMatchObject({ client_name: 'Shop', scope: 'read', grant_types: ['client_credentials'] });
    expect(updated.client_secret).toBeUndefined();
    const patched = await clients.patch('shop', [{ op: 'replace', path: '/client_name', value: 'Store' }]);
    expect(await clients.get('shop')).toEqual(patched);
    expect((await clients.list({ owner: 'me' })).items).toEqual([patched]);
    const { client_secret } = await clients.rotateSecret('shop');
    expect((await credentialsFor(instance, { id: 'shop', secret: client_secret })).status).toBe(200);
    await clients.delete('shop');
    await expect(clients.get('shop')).rejects.toMatchObject({ code: 'not_found', status: 404 });
    await expect(clients.delete('shop')).rejects.toThrow('Unable to locate');
    for (const action of ['client.create', 'client.patch', 'client.rotate_secret'])
      expect(audits(action).map((line) => JSON.parse(line).audit.clientId)).toContain('shop');
    expect(audits('client.delete').map((line) => JSON.parse(line).audit.outcome)).toEqual(['success', 'denied']);
  });

  test('names the member that is wrong', async () => {
    await expect(instance.carnet.clients.create({ redirect_uris: ['no-url'] })).rejects.toMatchObject({
      code: 'invalid_client_metadata',
      field: 'redirect_uris',
    });
  });
});

describe('carnet.tokens', () => {
  test.each(['opaque', 'jwt'])('revokes an access token (%s) with its grant', async (access_token_strategy) => {
    const client = await registerClient(instance, `revoked-${access_token_strategy}`, { access_token_strategy });
    const tokens = await login(instance, client);
    const value = String(tokens.access_token);
    expect(await instance.carnet.tokens.introspect(value)).toMatchObject({ active: true, sub: 'alice' });
    await instance.carnet.tokens.revoke(value);
    expect(await introspect(instance, value)).toEqual({ active: false });
    expect((await refresh(instance, client, tokens.refresh_token)).status).toBe(400);
  });

  test('revokes a token without a user alone, and ignores what is no token', async () => {
    const client = await registerClient(instance, 'machine');
    const [first, second] = await Promise.all(
      [1, 2].map(async () => String((await credentialsFor(instance, client)).body.access_token)),
    );
    await instance.carnet.tokens.revoke(first ?? '');
    expect(await introspect(instance, first)).toEqual({ active: false });
    expect(await introspect(instance, second)).toMatchObject({ active: true });
    await instance.carnet.tokens.revoke('carnet_at_nothing');
    await instance.carnet.tokens.revoke('eyJhbGciOiJub25lIn0.e30.');
  });
});

describe('carnet.consents', () => {
  test('lists and revokes the consents of a user', async () => {
    const { consents } = instance.carnet;
    const client = await registerClient(instance, 'consented');
    const tokens = await login(instance, client, { subject: 'dora' });
    const { items } = await consents.list({ subject: 'dora' });
    expect(items).toMatchObject([{ subject: 'dora', client: { client_id: 'consented' }, handledAt: expect.any(Date) }]);
    await expect(consents.revoke({ subject: 'dora' } as never)).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await introspect(instance, tokens.access_token)).toMatchObject({ active: true });
    await consents.revoke({ subject: 'dora', clientId: 'consented' });
    expect(await introspect(instance, tokens.access_token)).toEqual({ active: false });
    expect((await consents.list({ subject: 'dora' })).items).toEqual([]);
  });
});
