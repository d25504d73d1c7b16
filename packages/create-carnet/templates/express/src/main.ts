import express, { type Response } from 'express';
import { finishSignIn, showHome, signOut, startSignIn } from './demo-client.ts';
import type { Reply } from './page.ts';
//@if mounted
import { carnet } from './provider.ts';
//@end
import { appUrl, host, port } from './settings.ts';
//@if own
import { showConsent, showLogin, submitConsent, submitLogin } from './sign-in.ts';
//@end
import { stopWith } from './stop.ts';

const send = (response: Response, { status, headers, body }: Reply): void => {
  response.status(status).set(headers).send(body);
};

const app = express();
//@if mounted
// The endpoints of OpenID Connect. Requests for other paths reach the routes below.
app.use(carnet.callback());
//@end
app.use(express.urlencoded());

//@if own
app.get('/login', async ({ query }, response) => send(response, await showLogin(query)));
app.post('/login', async ({ body = {} }, response) => send(response, await submitLogin(body)));
app.get('/consent', async ({ query }, response) => send(response, await showConsent(query)));
app.post('/consent', async ({ body = {} }, response) => send(response, await submitConsent(body)));

//@end
app.get('/', ({ headers }, response) => send(response, showHome(headers.cookie)));
app.get('/demo/sign-in', async (_request, response) => send(response, await startSignIn()));
app.get('/demo/callback', async ({ url, headers }, response) =>
  send(response, await finishSignIn(url, headers.cookie)),
);
app.post('/demo/sign-out', async ({ headers }, response) => send(response, await signOut(headers.cookie)));

const server = app.listen(port, host, (error) => {
  if (error) throw error; // such as a port in use
  console.log(`Open ${appUrl}`);
});
stopWith((done) => server.close(done));
