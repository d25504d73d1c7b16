import { ExpressAuth, type ExpressAuthConfig, getSession } from '@auth/express';
import express from 'express';
import type { CreateApp } from './settings.ts';

export const createApp: CreateApp = ({ issuer, clientId, clientSecret, sessionSecret }) => {
  // docs: settings
  const config: ExpressAuthConfig = {
    secret: sessionSecret,
    trustHost: true,
    providers: [{ id: 'carnet', name: 'Carnet', type: 'oidc', issuer, clientId, clientSecret }],
  };
  const app = express();
  app.use('/auth', ExpressAuth(config));
  // docs: end
  app.get('/', async (req, res) => {
    const session = await getSession(req, config);
    res.status(session ? 200 : 401).json(session?.user ?? null);
  });
  return app;
};
