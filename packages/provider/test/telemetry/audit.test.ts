import { describe, expect, it } from 'vitest';
import { registerBeforeTests, startBeforeTests } from '../before-tests.ts';
import { secretsIn } from '../leaks.ts';
import { credentialsFor, login, refresh } from '../login.ts';

const instance = startBeforeTests();
const client = registerBeforeTests(instance, 'shop');

const records = (): Record<string, unknown>[] =>
  instance
    .log()
    .split('\n')
    .filter((line) => line.includes('"audit":{'))
    .map((line) => (JSON.parse(line) as { audit: Record<string, unknown> }).audit);

const lastRecord = () => records().at(-1);

describe('the audit records', () => {
  it('have who got tokens, by what', async () => {
    const tokens = await login(instance, client, { subject: 'alice' });
    expect(records().slice(-2)).toEqual([
      { action: 'login', outcome: 'success', clientId: 'shop', subject: 'alice' },
      {
        action: 'token',
        outcome: 'success',
        clientId: 'shop',
        subject: 'alice',
        grantType: 'authorization_code',
        requestId: expect.any(String),
      },
    ]);
    await refresh(instance, client, tokens.refresh_token);
    expect(lastRecord()).toMatchObject({ action: 'token', grantType: 'refresh_token', subject: 'alice' });
  });

  it('have who got none, and why', async () => {
    await credentialsFor(instance, { ...client, secret: 'wrong, wrong' });
    expect(lastRecord()).toMatchObject({ action: 'token', outcome: 'denied', reason: 'invalid_client' });
    await refresh(instance, client, 'carnet_rt_none');
    expect(lastRecord()).toMatchObject({ outcome: 'denied', reason: 'invalid_grant', clientId: 'shop' });
  });

  it('have what an administrator changed', async () => {
    const send = (method: string, path: string, body?: object) =>
      fetch(`${instance.admin}${path}`, { method, body: body && JSON.stringify(body) });
    await send('POST', '/admin/clients', { client_id: 'crm' });
    expect(lastRecord()).toMatchObject({ action: 'client.create', outcome: 'success', clientId: 'crm', byAdmin: true });
    await send('DELETE', '/admin/clients/crm');
    expect(lastRecord()).toMatchObject({ action: 'client.delete', outcome: 'success', clientId: 'crm' });
    await send('DELETE', '/clients/crm');
    expect(lastRecord()).toMatchObject({ action: 'client.delete', outcome: 'denied' });
  });

  it('hold no secret', () => {
    expect(records().length).toBeGreaterThan(5);
    expect(secretsIn(JSON.stringify(records()))).toEqual([]);
  });
});
