import { createServer } from 'node:http';
import { createHandler } from './handler.ts';
import { connect } from './provider.ts';

const { PORT = '5555', HOST = '127.0.0.1' } = process.env;
const baseUrl = new URL(process.env.RELYING_PARTY_URL ?? `http://${HOST}:${PORT}/`);

const configuration = await connect({
  issuer: new URL(process.env.CARNET_ISSUER ?? 'http://127.0.0.1:4444'),
  adminUrl: new URL(process.env.CARNET_ADMIN_URL ?? 'http://127.0.0.1:4445'),
  adminToken: process.env.CARNET_ADMIN_TOKEN,
  baseUrl,
});

const server = createServer(createHandler({ configuration, baseUrl }));
server.listen(Number(PORT), HOST, () => console.log(`Relying party: ${baseUrl.href}`));

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    server.close();
    server.closeAllConnections();
  });
}
