import { carnetFastify } from '@carnet/fastify';
import formbody from '@fastify/formbody';
import { type FastifyReply, fastify } from 'fastify';
import { finishSignIn, showHome, signOut, startSignIn } from './demo-client.ts';
import type { Reply } from './page.ts';
import { carnet } from './provider.ts';
import { appUrl, host, port } from './settings.ts';
//@if own
import { showConsent, showLogin, submitConsent, submitLogin } from './sign-in.ts';
//@end
import { stopWith } from './stop.ts';

//@if own
type Fields = Readonly<Record<string, unknown>>;
//@end

const send = (reply: FastifyReply, { status, headers, body }: Reply): FastifyReply =>
  reply.code(status).headers(headers).send(body);

const app = fastify();
// The endpoints of OpenID Connect. Requests for other paths reach the routes below.
await app.register(carnetFastify, { carnet });
await app.register(formbody);

//@if own
app.get('/login', async ({ query }, reply) => send(reply, await showLogin(query as Fields)));
app.post('/login', async ({ body }, reply) => send(reply, await submitLogin((body ?? {}) as Fields)));
app.get('/consent', async ({ query }, reply) => send(reply, await showConsent(query as Fields)));
app.post('/consent', async ({ body }, reply) => send(reply, await submitConsent((body ?? {}) as Fields)));

//@end
app.get('/', async ({ headers }, reply) => send(reply, showHome(headers.cookie)));
app.get('/demo/sign-in', async (_request, reply) => send(reply, await startSignIn()));
app.get('/demo/callback', async ({ url, headers }, reply) => send(reply, await finishSignIn(url, headers.cookie)));
app.post('/demo/sign-out', async ({ headers }, reply) => send(reply, await signOut(headers.cookie)));

await app.listen({ port, host });
console.log(`Open ${appUrl}`);
stopWith((done) => void app.close().then(done));
