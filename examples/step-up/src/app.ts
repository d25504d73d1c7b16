import express from 'express';
import { requireSignIn, type TokenRules } from './authentication.ts';

/** A bank: any sign-in shows the balance, a transfer needs a second factor within the last five minutes. */
export const createApp = (rules: TokenRules) => {
  const app = express();
  const strong = { acrValues: ['urn:carnet:2fa', 'phr'], maxAgeSeconds: 300 };
  app.get('/balance', requireSignIn(rules), (_request, response) => {
    response.json({ account: response.locals.claims.sub, balance: 1_200 });
  });
  app.post('/transfers', requireSignIn(rules, strong), (_request, response) => {
    response.status(201).json({ account: response.locals.claims.sub, transferred: 100 });
  });
  return app;
};
