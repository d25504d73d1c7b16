// The same values are in carnet.yaml.
const { APP_PORT = '3000', HOST = '127.0.0.1', APP_URL = `http://localhost:${APP_PORT}` } = process.env;
const { ISSUER = 'http://localhost:4444', ADMIN_PORT = '4445' } = process.env;

export const port = Number(APP_PORT);

/** The address to listen on. 127.0.0.1 is reached from this machine only, such as by a proxy that ends TLS. */
export const host = HOST;

/** The URL of this program for browsers, without a slash at the end. In production: an https URL. */
export const appUrl = APP_URL;

/** The URL of Carnet. */
export const issuer = ISSUER;

/** The admin API listens on 127.0.0.1. */
export const adminPort = Number(ADMIN_PORT);
//@if bundled

const { PAGES_PORT = '3001', PAGES_URL = `http://localhost:${PAGES_PORT}` } = process.env;

export const pagesPort = Number(PAGES_PORT);

/** The URL of the bundled pages for browsers, without a slash at the end. */
export const pagesUrl = PAGES_URL;
//@end
