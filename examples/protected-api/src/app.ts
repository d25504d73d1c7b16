import express from 'express';
import { requireScope, type Verify } from './require-scope.ts';

/** An API with two routes, and a scope for each. */
export const createApi = (verify: Verify) => {
  const app = express();
  app.get('/orders', requireScope(verify, 'orders.read'), (_request, response) => {
    response.json({ orders: [], for: response.locals.claims.sub });
  });
  app.post('/orders', requireScope(verify, 'orders.write'), (_request, response) => {
    response.status(201).json({ id: 1 });
  });
  return app;
};
