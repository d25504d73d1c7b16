import { createApp } from './app.ts';
import { openIssuers } from './issuers.ts';

const { PORT = '4444' } = process.env;
const origin = `http://127.0.0.1:${PORT}`;

createApp(await openIssuers(origin)).listen(Number(PORT), '127.0.0.1', (error?: Error) => {
  if (error) throw error; // such as a port in use
  const redirectUri = encodeURIComponent('http://127.0.0.1:9999/callback');
  const query = `client_id=app&redirect_uri=${redirectUri}&response_type=code&scope=openid&state=any-state`;
  console.log(`Issuers: ${origin}, ${origin}/shop, ${origin}/travel, ${origin}/t/tenant-1 to ${origin}/t/tenant-1000`);
  console.log(`Sign in: ${origin}/shop/oauth2/auth?${query}`);
});
