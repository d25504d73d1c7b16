import { readFileSync } from 'node:fs';
import type { ConfigInput } from '@carnet/provider';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { openDocumentHost } from '../document-host.ts';
import { start } from '../harness.ts';
import { type ClientOfUser, callback, createClientOfUser } from './mcp-client.ts';
import { listenForMcp } from './mcp-server.ts';

/** The configuration that docs/guides/mcp.md has to copy, for this resource. */
const documentedConfig = (resource: string): Partial<ConfigInput> => {
  const guide = readFileSync(new URL('../../../../docs/guides/mcp.md', import.meta.url), 'utf8');
  const block = /```yaml\n([\s\S]*?)```/.exec(guide)?.[1] ?? '';
  return parse(block.replace('https://mcp.example.com/mcp', resource)) as Partial<ConfigInput>;
};

const documents = beforeTests(() => openDocumentHost());
const server = beforeTests(() => listenForMcp());
const instance = beforeTests(() => start({ config: documentedConfig(server.resource) }));
beforeAll(async () => {
  await server.serve(instance.issuer);
});

const transportOf = (authProvider: ClientOfUser) =>
  new StreamableHTTPClientTransport(new URL(server.resource), { authProvider });
const connect = async (authProvider: ClientOfUser): Promise<Client> => {
  const client = new Client({ name: 'client of the tests', version: '1.0.0' });
  await client.connect(transportOf(authProvider));
  return client;
};
const whoami = async (client: Client): Promise<string> => {
  const { content } = await client.callTool({ name: 'whoami' });
  return (content as { text: string }[])[0]?.text ?? '';
};

/** All of it: the challenge, metadata, registration, login, a tool call, and a refresh. */
const journey = async (user: ClientOfUser) => {
  // The first request is refused; the client finds the provider, registers, and sends the user to sign in.
  const first = transportOf(user);
  await expect(new Client({ name: 'client of the tests', version: '1.0.0' }).connect(first)).rejects.toThrow(
    UnauthorizedError,
  );
  expect(user.asked().searchParams.get('resource')).toBe(server.resource);
  expect(user.asked().searchParams.get('scope')).toBe('tools offline_access');
  await first.finishAuth(user.code());
  const issued = user.saved().tokens;
  expect(decodeJwt(String(issued?.access_token))).toMatchObject({ aud: [server.resource], scope: 'tools' });
  const client = await connect(user);
  const said = await whoami(client);
  // A token that the server no longer accepts: the client refreshes, and calls again.
  await user.saveTokens({ ...(issued as NonNullable<typeof issued>), access_token: 'expired' });
  expect(await whoami(client)).toBe(said);
  expect(user.saved().tokens?.refresh_token).not.toBe(issued?.refresh_token);
  await client.close();
  return said;
};

describe('an MCP client and an MCP server of the official SDK (MCP 2025-11-25)', () => {
  test('work together when the client registers itself', async () => {
    const user = createClientOfUser(instance);
    const said = await journey(user);
    const id = user.saved().client?.client_id;
    expect(id).toMatch(/^[\da-f-]{36}$/);
    expect(said).toBe(`alice by ${id} with tools`);
    expect(server.seen.map(({ path }) => path)).toContain('/.well-known/oauth-protected-resource/mcp');
  });

  test('work together when the client is described by its metadata document', async () => {
    // No more than MCP requires of one, and refresh tokens.
    const url = documents.put('/mcp-client.json', {
      client_name: 'MCP client of the tests',
      redirect_uris: ['http://127.0.0.1/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
    });
    const user = createClientOfUser(instance, url);
    expect(await journey(user)).toBe(`alice by ${url} with tools`);
    expect(user.asked().searchParams.get('redirect_uri')).toBe(callback);
    expect(documents.fetched).toEqual(['/mcp-client.json']);
    const registered = await instance.adapter.list({ kind: 'client', limit: 10 });
    expect(registered.records.map(({ clientId }) => clientId)).not.toContain(url);
  });

  test('a token for another resource is none for the MCP server', async () => {
    const user = createClientOfUser(instance);
    await journey(user);
    const [header = '', , signature = ''] = String(user.saved().tokens?.access_token).split('.');
    const forged = Buffer.from(JSON.stringify({ aud: ['https://other.test'] })).toString('base64url');
    const answer = await fetch(server.resource, {
      method: 'POST',
      headers: { authorization: `Bearer ${header}.${forged}.${signature}` },
    });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toContain('resource_metadata=');
  });
});
