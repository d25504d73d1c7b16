import express from 'express';
import openid from 'express-openid-connect';
import session from 'express-session';
import type { CreateApp } from './settings.ts';

const { auth, requiresAuth } = openid;

export const createApp: CreateApp = ({ issuer, clientId, clientSecret, baseUrl, sessionSecret }) => {
  const app = express();
  // The types of the library allow only stores of its own sessions; its code takes every store of express-session.
  const store = new session.MemoryStore() as never;
  // docs: settings
  app.use(
    auth({
      issuerBaseURL: issuer,
      baseURL: baseUrl,
      clientID: clientId,
      clientSecret,
      secret: sessionSecret,
      authorizationParams: { response_type: 'code', scope: 'openid profile email offline_access' },
      idpLogout: true,
      backchannelLogout: { store },
    }),
  );
  // docs: end
  app.get('/', requiresAuth(), (req, res) => void res.json(req.oidc.user));
  app.get('/userinfo', requiresAuth(), async (req, res) => void res.json(await req.oidc.fetchUserInfo()));
  app.get('/refresh', requiresAuth(), async (req, res) => {
    await req.oidc.accessToken?.refresh();
    res.redirect('/');
  });
  return app;
};

/** The same application with the defaults of the library: an ID token in a form, no code and no secret. */
export const createImplicitApp: CreateApp = ({ issuer, clientId, baseUrl, sessionSecret }) => {
  const app = express();
  // docs: settings of the implicit flow
  app.use(auth({ issuerBaseURL: issuer, baseURL: baseUrl, clientID: clientId, secret: sessionSecret }));
  // docs: end
  app.get('/', (req, res) => void res.json(req.oidc.user));
  return app;
};
