import type { RequestListener } from 'node:http';
import { listen } from '@carnet/test-servers/listen';
import { InvalidTokenError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { requireBearerAuth } from '@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js';
import type { OAuthTokenVerifier } from '@modelcontextprotocol/sdk/server/auth/provider.js';
import {
  getOAuthProtectedResourceMetadataUrl,
  mcpAuthMetadataRouter,
} from '@modelcontextprotocol/sdk/server/auth/router.js';
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { OAuthMetadataSchema } from '@modelcontextprotocol/sdk/shared/auth.js';
import { createRemoteJWKSet, jwtVerify } from 'jose';

export interface ListeningServer {
  /** The URL of the MCP server, and so the identifier of the resource. */
  readonly resource: string;
  /** `Authorization` headers and paths of the requests so far. */
  readonly seen: { readonly path: string; readonly authorization: string | undefined }[];
  /** Serves MCP for clients of this issuer. */
  serve(issuer: string): Promise<void>;
  close(): Promise<void>;
}

/** Accepts JWT access tokens that this issuer has signed for this resource, and no others. */
const createVerifier = (issuer: string, resource: string): OAuthTokenVerifier => {
  const keys = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`));
  return {
    verifyAccessToken: async (token) => {
      const { payload } = await jwtVerify(token, keys, { issuer, audience: resource, typ: 'at+jwt' }).catch(() => {
        throw new InvalidTokenError('the token is not for this server');
      });
      return {
        token,
        clientId: String(payload.client_id),
        scopes: String(payload.scope).split(' '),
        expiresAt: payload.exp,
        resource: new URL(resource),
        extra: { sub: payload.sub },
      };
    },
  };
};

/** One tool, which says who calls it. */
const createTools = (): McpServer => {
  const server = new McpServer({ name: 'tools of the tests', version: '1.0.0' });
  server.registerTool('whoami', { description: 'Says who calls' }, ({ authInfo }) => ({
    content: [
      { type: 'text', text: `${authInfo?.extra?.sub} by ${authInfo?.clientId} with ${authInfo?.scopes.join(' ')}` },
    ],
  }));
  return server;
};

/** The official SDK's server, protected as its documentation says. */
const createApp = async (issuer: string, resource: string): Promise<RequestListener> => {
  const metadata = await (await fetch(`${issuer}/.well-known/oauth-authorization-server`)).json();
  const resourceServerUrl = new URL(resource);
  const app = createMcpExpressApp();
  app.use(
    mcpAuthMetadataRouter({
      oauthMetadata: OAuthMetadataSchema.parse(metadata),
      resourceServerUrl,
      scopesSupported: ['tools', 'offline_access'],
    }),
  );
  const resourceMetadataUrl = getOAuthProtectedResourceMetadataUrl(resourceServerUrl);
  const verifier = createVerifier(issuer, resource);
  app.post(
    '/mcp',
    requireBearerAuth({ verifier, resourceMetadataUrl, expectedResource: resourceServerUrl }),
    async (req, res) => {
      const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
      await createTools().connect(transport);
      await transport.handleRequest(req, res, req.body);
    },
  );
  return app as unknown as RequestListener;
};

/** Listens at once, so that its URL is known before the provider is configured. */
export const listenForMcp = async (): Promise<ListeningServer> => {
  const seen: { path: string; authorization: string | undefined }[] = [];
  let app: RequestListener = (_req, res) => void res.writeHead(503).end();
  const { origin, close } = await listen((req, res) => {
    seen.push({ path: req.url ?? '', authorization: req.headers.authorization });
    app(req, res);
  });
  const resource = `${origin}/mcp`;
  return {
    resource,
    seen,
    serve: async (issuer) => {
      app = await createApp(issuer, resource);
    },
    close,
  };
};
