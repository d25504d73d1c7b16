import type { Issuers } from '@carnet/issuers';
import { CarnetError, GoneError } from '@carnet/provider';
import express, { type ErrorRequestHandler, type Express } from 'express';

const page = (title: string): string =>
  `<!doctype html><title>${title}</title><h1>${title}</h1><form method="post"><button>Continue</button></form>`;

export const createApp = (issuers: Issuers): Express => {
  const app = express();
  app.use(issuers.callback());
  app.get(
    '/pages/:issuer/:step',
    ({ params: { step } }, response) => void response.send(page(step === 'login' ? 'Sign in' : 'Allow the access')),
  );
  // A challenge of one issuer can be decided at this issuer alone, whatever the path says.
  app.post('/pages/:issuer/login', async ({ params, query }, response) => {
    const challenge = String(query.login_challenge);
    const { redirectTo } = await issuers.use(params.issuer, ({ requests }) =>
      requests.login.accept(challenge, { subject: 'demo-user' }),
    );
    response.redirect(303, redirectTo);
  });
  app.post('/pages/:issuer/consent', async ({ params, query }, response) => {
    const challenge = String(query.consent_challenge);
    const { redirectTo } = await issuers.use(params.issuer, async ({ requests: { consent } }) => {
      const { requestedScopes: grantScopes } = await consent.get(challenge);
      return consent.accept(challenge, { grantScopes });
    });
    response.redirect(303, redirectTo);
  });
  const onError: ErrorRequestHandler = (error, _request, response, _next) => {
    if (error instanceof GoneError) response.redirect(303, error.redirectTo);
    else response.status(error instanceof CarnetError ? error.status : 500).send('This page is not valid.');
  };
  return app.use(onError);
};
