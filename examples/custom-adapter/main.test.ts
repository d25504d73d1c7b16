import { afterEach, describe, expect, test } from 'vitest';
import { type Example, startExample } from '../example-program.ts';
import { freshLog } from './fresh-log.ts';

const file = freshLog();
let example: Example;
afterEach(() => example?.stop());

const start = async (): Promise<void> => {
  example = await startExample(new URL('.', import.meta.url), '', { LOG_FILE: file });
};

const register = async () => {
  const response = await fetch(`${example.admin}/admin/clients`, {
    method: 'POST',
    body: JSON.stringify({ grant_types: ['client_credentials'], scope: 'read' }),
  });
  return (await response.json()) as { readonly client_id: string; readonly client_secret: string };
};

type Client = Awaited<ReturnType<typeof register>>;

const requestToken = ({ client_id, client_secret }: Client) =>
  fetch(`${example.issuer}/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'read' }),
  });

describe('the provider on a store of one’s own', () => {
  test('knows a client and its secret after kill -9', async () => {
    await start();
    const client = await register();
    expect((await requestToken(client)).status).toBe(200);
    await example.stop();
    await start();
    expect((await fetch(`${example.admin}/admin/clients/${client.client_id}`)).status).toBe(200);
    const response = await requestToken(client);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ token_type: 'Bearer', scope: 'read' });
  });
});
