import { createServer } from 'node:http';
import { createProvider } from '@carnet/provider';
import { openAdapter } from './log-adapter.ts';

const { PORT = '4444', ADMIN_PORT = '4445', LOG_FILE = 'carnet.log' } = process.env;
const host = '127.0.0.1';
const issuer = `http://${host}:${PORT}`;

const adapter = await openAdapter({ url: `log:${LOG_FILE}` });
// In dev mode secrets and keys are made up at each start; what the store holds stays.
const carnet = await createProvider(
  {
    dev: true,
    issuer,
    urls: { login: `http://${host}:3000/login`, consent: `http://${host}:3000/consent` },
  },
  { adapter },
);

createServer(carnet.callback()).listen(Number(PORT), host, () => console.log(`Issuer: ${issuer}`));

// The login page's way in, and the administrator's. Nobody else's: it has a port of its own.
createServer(carnet.adminCallback()).listen(Number(ADMIN_PORT), host, () =>
  console.log(`Admin API: http://${host}:${ADMIN_PORT}`),
);
