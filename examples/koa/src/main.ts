import { createServer } from 'node:http';
import { createProvider } from '@carnet/provider';
import { bodyParser } from '@koa/bodyparser';
import Koa from 'koa';

const { PORT = '4444', ADMIN_PORT = '4445' } = process.env;
const host = '127.0.0.1';
const issuer = `http://${host}:${PORT}`;

// In dev mode secrets and keys are made up at each start, and the store is in memory.
const carnet = await createProvider({
  dev: true,
  issuer,
  urls: { login: `http://${host}:3000/login`, consent: `http://${host}:3000/consent` },
});

const app = new Koa();
app.use(bodyParser());
app.use(carnet.koa());
app.use(async (ctx, next) => {
  if (ctx.path === '/hello') ctx.body = 'Hello from the application.\n';
  else await next();
});
app.listen(Number(PORT), host, () => console.log(`Issuer: ${issuer}`));

// The login page's way in, and the administrator's. Nobody else's: it has a port of its own.
createServer(carnet.adminCallback()).listen(Number(ADMIN_PORT), host, () =>
  console.log(`Admin API: http://${host}:${ADMIN_PORT}`),
);
