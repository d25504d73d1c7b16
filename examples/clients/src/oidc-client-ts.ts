import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import express from 'express';
import type { CreateApp } from './settings.ts';

const library = dirname(createRequire(import.meta.url).resolve('oidc-client-ts/package.json'));
const page = readFileSync(new URL('oidc-client-ts.page.js', import.meta.url), 'utf8');

/** Serves a page that signs the user in by itself: a public client without a secret. */
export const createApp: CreateApp = ({ issuer, clientId }) => {
  const html = `<!doctype html>
<title>oidc-client-ts</title>
<script type="importmap">{ "imports": { "oidc-client-ts": "/oidc-client-ts.js" } }</script>
<script>window.settings = ${JSON.stringify({ issuer, clientId })};</script>
<body><button id="sign-in">Sign in</button><button id="sign-out">Sign out</button>
<script type="module" src="/page.js"></script>`;
  const app = express();
  app.get('/oidc-client-ts.js', (_req, res) => {
    // The build for browsers defines a variable. A module can export it.
    const build = readFileSync(join(library, 'dist/browser/oidc-client-ts.js'), 'utf8');
    res.type('text/javascript').send(`${build}\nexport const { UserManager } = oidc;\n`);
  });
  app.get('/page.js', (_req, res) => void res.type('text/javascript').send(page));
  app.get(['/', '/callback'], (_req, res) => void res.type('html').send(html));
  return app;
};
