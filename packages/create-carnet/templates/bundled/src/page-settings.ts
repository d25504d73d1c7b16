//@if mounted
import { pagesUrl } from './settings.ts';

const { NODE_ENV, ADMIN_TOKEN, ACCOUNTS_DATABASE, ACCOUNTS_MAIL_URL, ACCOUNTS_MAIL_FROM } = process.env;
const isDevelopment = NODE_ENV !== 'production';

/** The pages to which Carnet redirects browsers: those of pages.ts. Carnet checks the users itself. */
export const pageSettings = {
  urls: {
    login: `${pagesUrl}/login`,
    consent: `${pagesUrl}/consent`,
    logout: `${pagesUrl}/logout`,
    error: `${pagesUrl}/error`,
    postLogoutRedirect: `${pagesUrl}/account/signed-out`,
    device: { verification: `${pagesUrl}/device`, success: `${pagesUrl}/device/success` },
  },
  admin: { token: ADMIN_TOKEN },
  accounts: {
    database: ACCOUNTS_DATABASE,
    migrate: true,
    directories: [{ name: 'users', kind: 'sql' as const }],
    signUp: { enabled: true },
    recovery: { enabled: true },
    // In development, emails are printed.
    mail: isDevelopment
      ? { url: 'log:', from: 'Demo <accounts@localhost>' }
      : { url: ACCOUNTS_MAIL_URL, from: ACCOUNTS_MAIL_FROM },
    // demo@example.com with a public password. Carnet refuses it in production.
    demoUser: isDevelopment,
  },
};
//@end
