import { createProvider } from '@carnet/provider';
//@if mcp
import { mcpUrl } from './mcp-url.ts';
//@end
import { pageSettings } from './page-settings.ts';
import { appUrl, issuer } from './settings.ts';

const { NODE_ENV, SECRETS_SYSTEM = '', DATABASE_URL, CLIENT_DEMO_SECRET } = process.env;

// Every key: https://carnet-oidc.github.io/carnet/reference/configuration.html. Secrets are in .env.
export const carnet = await createProvider({
  dev: NODE_ENV !== 'production', // accepts http on this machine
  issuer,
  ...pageSettings,
  storage: { default: DATABASE_URL, migrate: true },
  secrets: { system: SECRETS_SYSTEM.split(',') },
  keys: { source: 'store' }, // Carnet generates, encrypts and rotates the signing keys
  clients: [
    {
      client_id: 'demo',
      client_secret: CLIENT_DEMO_SECRET,
      client_name: 'Demo',
      redirect_uris: [`${appUrl}/demo/callback`],
      post_logout_redirect_uris: [`${appUrl}/`],
      skip_logout_consent: true,
      scope: 'openid profile email',
    },
  ],
  //@if mcp
  // Every client may request an access token for the MCP server. MCP clients register, or publish a metadata document.
  resources: [
    { identifier: mcpUrl, scope: 'tools', accessTokenStrategy: 'jwt', accessTokenTtl: '10m', clients: 'all' },
  ],
  oidc: { dynamicClientRegistration: { enabled: true } },
  features: { clientIdMetadataDocument: { enabled: true } },
  //@end
});
