import { randomBytes } from 'node:crypto';
import { redactUrl, type Tree } from '@carnet/provider/config';

/** The options of `carnet init`. */
export interface Choices {
  readonly issuer: string;
  readonly store: string;
  /** The URL of the pages, or `bundled`: those of @carnet/consent-ui, under the issuer. */
  readonly pages: string;
}

/** Settings, and the variables with secrets that are not among them. */
export interface Written {
  readonly settings: Tree;
  readonly secrets: Readonly<Record<string, string>>;
}

const newSecret = (): string => randomBytes(32).toString('hex');

/** Postgres can have both. The users of an SQLite store are in a file of their own. */
const usersDatabase = (store: string): string => (/^postgres/.test(store) ? store : 'sqlite:accounts.db');

const hasPassword = (url: string): boolean => redactUrl(url) !== url;

/** The paths of the bundled pages. Pages of your own may have other paths. */
const urlsAt = (pages: string): Tree => ({
  login: `${pages}/login`,
  consent: `${pages}/consent`,
  logout: `${pages}/logout`,
  error: `${pages}/error`,
  device: { verification: `${pages}/device`, success: `${pages}/device/success` },
});

/** The settings of a server in production, and its secrets. A URL with a password is a secret. */
export const forProduction = ({ issuer, store, pages }: Choices): Written => {
  const isBundled = pages === 'bundled';
  const users = usersDatabase(store);
  const isSecret = hasPassword(store);
  return {
    settings: {
      issuer,
      ...(!isSecret && { storage: { default: store } }),
      urls: {
        ...urlsAt((isBundled ? issuer : pages).replace(/\/$/, '')),
        ...(isBundled && { postLogoutRedirect: `${issuer.replace(/\/$/, '')}/account/signed-out` }),
      },
      keys: { source: 'store' },
      ...(isBundled && {
        accounts: {
          ...(!(isSecret && users === store) && { database: users }),
          directories: [{ name: 'users', kind: 'sql' }],
        },
      }),
    },
    secrets: {
      SECRETS_SYSTEM: newSecret(),
      ADMIN_TOKEN: newSecret(),
      ...(isSecret && { DATABASE_URL: store }),
      ...(isSecret && isBundled && users === store && { ACCOUNTS_DATABASE: users }),
    },
  };
};

/** The settings of a server on the machine of a developer. Carnet generates the secrets. */
export const forDevelopment = (): Written => ({ settings: { dev: true }, secrets: {} });
