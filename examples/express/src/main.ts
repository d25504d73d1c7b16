import { createServer } from 'node:http';
import { createProvider } from '@carnet/provider';
import express from 'express';

const { PORT = '4444', ADMIN_PORT = '4445' } = process.env;
const host = '127.0.0.1';
const issuer = `http://${host}:${PORT}/op`;

// In dev mode secrets and keys are made up at each start, and the store is in memory.
const carnet = await createProvider({
  dev: true,
  issuer,
  urls: { login: `http://${host}:3000/login`, consent: `http://${host}:3000/consent` },
});

const app = express();
app.use(express.json(), express.urlencoded());
// Not under '/op': it knows its path from the issuer, and its metadata is looked for outside of it, too (RFC 8414).
app.use(carnet.callback());
app.get('/hello', (_req, res) => {
  res.type('text').send('Hello from the application.\n');
});
app.listen(Number(PORT), host, () => console.log(`Issuer: ${issuer}`));

// The login page's way in, and the administrator's. Nobody else's: it has a port of its own.
createServer(carnet.adminCallback()).listen(Number(ADMIN_PORT), host, () =>
  console.log(`Admin API: http://${host}:${ADMIN_PORT}`),
);
