// The bundled pages in a process of their own, which has the token of the admin API, but no key and no database.
import { createServer } from 'node:http';
import { openConsentUi } from '@carnet/consent-ui';
import { adminPort, host, issuer, pagesPort, pagesUrl } from './settings.ts';

// The name, colors and languages of the pages are variables, too (UI_NAME, UI_COLOR, ...): add them to .env.
Object.assign(process.env, {
  CARNET_ADMIN_URL: `http://127.0.0.1:${adminPort}`,
  CARNET_ADMIN_TOKEN: process.env.ADMIN_TOKEN,
  CARNET_ISSUER: issuer,
  CARNET_UI_URL: pagesUrl,
});

const pages = await openConsentUi();
const server = createServer(pages.handler).listen(pagesPort, host);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => server.close(() => void pages.close()));
}
