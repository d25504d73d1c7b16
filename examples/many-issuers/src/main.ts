import { createApp } from './app.ts';
import { createIssuers } from './issuers.ts';

const { PORT = '4444' } = process.env;
const origin = `http://127.0.0.1:${PORT}`;
const tenants = new Set(Array.from({ length: 50 }, (_, index) => `tenant-${index + 1}`));
const issuers = createIssuers({ origin, hasTenant: (tenant) => tenants.has(tenant), storeOf: () => 'memory:' });

createApp(issuers).listen(Number(PORT), '127.0.0.1', (error) => {
  if (error) throw error; // such as a port in use
  const redirectUri = encodeURIComponent('http://127.0.0.1:9999/callback');
  const query = `client_id=shop&redirect_uri=${redirectUri}&response_type=code&scope=openid+email&state=any-state`;
  console.log(`Issuers: ${origin}/t/tenant-1 to ${origin}/t/tenant-${tenants.size}`);
  console.log(`Sign in: ${origin}/t/tenant-1/oauth2/auth?${query}`);
});
