import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { after, before, test } from 'node:test';
import { auth, type OAuthClientProvider, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { createFormBrowser } from './form-browser.ts';
import { type Program, startProgram } from './program.ts';

const email = 'demo@example.com';
const password = process.env.DEMO_PASSWORD ?? 'carnet-demo';

let program: Program;
let callback: Server;
let redirectUrl: string;
before(async () => {
  program = await startProgram();
  callback = createServer((_request, response) => void response.end('Return to the MCP client.')).listen(
    0,
    '127.0.0.1',
  );
  await once(callback, 'listening');
  redirectUrl = `http://127.0.0.1:${(callback.address() as { readonly port: number }).port}/callback`;
});
after(async () => {
  callback?.close();
  await program?.stop();
});

/** The memory of an MCP client, and the browser of its user. */
const createClientProvider = () => {
  let client: OAuthClientInformationMixed | undefined;
  let tokens: OAuthTokens | undefined;
  let verifier = '';
  let code = '';
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: {
      client_name: 'An MCP client',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
    },
    clientInformation: () => client,
    saveClientInformation: (information) => {
      client = information;
    },
    tokens: () => tokens,
    saveTokens: (saved) => {
      tokens = saved;
    },
    saveCodeVerifier: (saved) => {
      verifier = saved;
    },
    codeVerifier: () => verifier,
    redirectToAuthorization: async (url) => {
      const browser = createFormBrowser();
      const consent = await browser.submit(await browser.open(url.href), { email, password });
      const end = await browser.submit(consent, {});
      code = new URL(end.url).searchParams.get('code') ?? '';
    },
  };
  return { provider, code: () => code, tokens: () => tokens };
};

test('an MCP client registers itself, its user signs in, and it calls a tool and refreshes its token', async () => {
  const { provider, code, tokens } = createClientProvider();
  const connect = () => {
    const transport = new StreamableHTTPClientTransport(new URL(program.mcpUrl), { authProvider: provider });
    const client = new Client({ name: 'test', version: '1.0.0' });
    return { transport, client, connected: client.connect(transport) };
  };
  // The MCP server refuses the first request, and its answer names the scopes.
  const first = connect();
  await assert.rejects(first.connected, UnauthorizedError);
  await first.transport.finishAuth(code());
  const issued = tokens();
  assert.ok(issued?.refresh_token);
  assert.equal(await auth(provider, { serverUrl: program.mcpUrl }), 'AUTHORIZED');
  assert.notEqual(tokens()?.access_token, issued.access_token);
  const { client, connected } = connect();
  await connected;
  const { content } = await client.callTool({ name: 'whoami' });
  assert.match(JSON.stringify(content), /by the client/);
  await client.close();
});

test('the MCP server refuses a request without a token, and names its metadata', async () => {
  const { status, headers } = await fetch(program.mcpUrl, { method: 'POST' });
  assert.equal(status, 401);
  assert.match(headers.get('www-authenticate') ?? '', /resource_metadata=/);
});
