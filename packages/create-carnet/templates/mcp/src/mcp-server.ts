// An MCP server that accepts the access tokens of Carnet: a program of its own, like any other resource server.
import { setTimeout as sleep } from 'node:timers/promises';
import { InsufficientScopeError, InvalidTokenError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { requireBearerAuth } from '@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js';
import {
  getOAuthProtectedResourceMetadataUrl,
  mcpAuthMetadataRouter,
} from '@modelcontextprotocol/sdk/server/auth/router.js';
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { OAuthMetadataSchema } from '@modelcontextprotocol/sdk/shared/auth.js';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { mcpPort, mcpUrl } from './mcp-url.ts';
import { host, issuer } from './settings.ts';

const resource = new URL(mcpUrl);

/** The metadata of Carnet, which may still be starting. */
const readMetadata = async () => {
  for (;;) {
    const response = await fetch(`${issuer}/.well-known/oauth-authorization-server`).catch(() => undefined);
    if (response?.ok) return OAuthMetadataSchema.parse(await response.json());
    await sleep(200);
  }
};

const keys = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`));

const verifyAccessToken = async (token: string) => {
  // The audience: a token that Carnet issued for another resource server is refused.
  const checks = { issuer, audience: mcpUrl, typ: 'at+jwt' };
  const { payload } = await jwtVerify(token, keys, checks).catch(() => {
    throw new InvalidTokenError('The token is not valid for this server.');
  });
  const { client_id, scope, exp, sub } = payload;
  const scopes = String(scope).split(' ');
  if (!scopes.includes('tools')) throw new InsufficientScopeError('The scope "tools" is missing.');
  return {
    token,
    clientId: String(client_id),
    scopes,
    expiresAt: exp,
    resource,
    extra: { sub },
  };
};

const createTools = (): McpServer => {
  const server = new McpServer({ name: 'demo', version: '1.0.0' });
  server.registerTool('whoami', { description: 'Returns the user who calls' }, ({ authInfo }) => ({
    content: [{ type: 'text', text: `${authInfo?.extra?.sub} by the client ${authInfo?.clientId}` }],
  }));
  return server;
};

const app = createMcpExpressApp({ host, allowedHosts: [resource.hostname] });
// MCP clients request these scopes. With `offline_access` they get a refresh token: otherwise the user would have to sign in
// again whenever an access token expires. `requiredScopes` of `requireBearerAuth` would replace this list by its own.
const scopesSupported = ['tools', 'offline_access'];
app.use(mcpAuthMetadataRouter({ oauthMetadata: await readMetadata(), resourceServerUrl: resource, scopesSupported }));

const authenticate = requireBearerAuth({
  verifier: { verifyAccessToken },
  resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(resource),
  expectedResource: resource,
});
app.post(resource.pathname, authenticate, async (request, response) => {
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
  await createTools().connect(transport);
  await transport.handleRequest(request, response, request.body);
});

const server = app.listen(mcpPort, host, (error) => {
  if (error) throw error; // such as a port in use
  console.log(`MCP server: ${mcpUrl}`);
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => server.close());
