const { PORT = '3000', HOST = '127.0.0.1', APP_URL = `http://localhost:${PORT}` } = process.env;

export const port = Number(PORT);

/** The address to listen on. 127.0.0.1 is reached from this machine only, such as by a proxy that ends TLS. */
export const host = HOST;

/** The URL of this program for browsers, without a slash at the end. In production: an https URL. */
export const appUrl = APP_URL;

/** The issuer of the tokens. Changing it invalidates all tokens. */
export const issuer = APP_URL;
//@if bundled

const { PAGES_PORT = '3001', PAGES_URL = `http://localhost:${PAGES_PORT}`, ADMIN_PORT = '4445' } = process.env;

export const pagesPort = Number(PAGES_PORT);

/** The URL of the bundled pages for browsers, without a slash at the end. */
export const pagesUrl = PAGES_URL;

/** The admin API, which the pages call, listens on 127.0.0.1. */
export const adminPort = Number(ADMIN_PORT);
//@end
