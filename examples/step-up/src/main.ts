import { createRemoteJWKSet } from 'jose';
import { createApp } from './app.ts';

const {
  PORT = '5556',
  CARNET_ISSUER: issuer = 'http://127.0.0.1:4444',
  AUDIENCE: audience = 'https://bank.example',
} = process.env;

const keys = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`));
const server = createApp({ issuer, audience, keys }).listen(Number(PORT), '127.0.0.1', (error) => {
  if (error) throw error; // such as a port in use
  console.log(`Bank: http://127.0.0.1:${PORT}/balance`);
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    server.close();
    server.closeAllConnections();
  });
}
