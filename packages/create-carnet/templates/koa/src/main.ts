import { bodyParser } from '@koa/bodyparser';
import { Router } from '@koa/router';
import Koa, { type Context } from 'koa';
import { finishSignIn, showHome, signOut, startSignIn } from './demo-client.ts';
import type { Reply } from './page.ts';
import { carnet } from './provider.ts';
import { appUrl, host, port } from './settings.ts';
//@if own
import { showConsent, showLogin, submitConsent, submitLogin } from './sign-in.ts';
//@end
import { stopWith } from './stop.ts';

const send = (ctx: Context, { status, headers, body }: Reply): void => {
  ctx.status = status;
  ctx.set(headers);
  ctx.body = body;
};

const router = new Router();

//@if own
const formOf = (ctx: Context) => (ctx.request.body ?? {}) as Record<string, unknown>;
router.get('/login', async (ctx) => send(ctx, await showLogin(ctx.query)));
router.post('/login', async (ctx) => send(ctx, await submitLogin(formOf(ctx))));
router.get('/consent', async (ctx) => send(ctx, await showConsent(ctx.query)));
router.post('/consent', async (ctx) => send(ctx, await submitConsent(formOf(ctx))));

//@end
router.get('/', (ctx) => send(ctx, showHome(ctx.get('cookie'))));
router.get('/demo/sign-in', async (ctx) => send(ctx, await startSignIn()));
router.get('/demo/callback', async (ctx) => send(ctx, await finishSignIn(ctx.url, ctx.get('cookie'))));
router.post('/demo/sign-out', async (ctx) => send(ctx, await signOut(ctx.get('cookie'))));

const app = new Koa();
// The endpoints of OpenID Connect. Requests for other paths reach the routes.
app.use(carnet.koa());
app.use(bodyParser());
app.use(router.routes());

const server = app.listen(port, host, () => console.log(`Open ${appUrl}`));
stopWith((done) => server.close(done));
