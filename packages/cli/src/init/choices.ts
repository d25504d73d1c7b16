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
  /** The text of the file, without settings that few users need. Default: the settings with their descriptions. */
  readonly template?: string;
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

/** Each commented section is accepted as it is. */
const developmentFile = `dev: true

# The URL of Carnet, which tokens have as \`iss\`.
# issuer: http://127.0.0.1:4444

# Applications that sign users in. \`npx carnet create client\` registers more while Carnet runs.
# clients:
#   - client_id: shop
#     client_secret: a-secret-of-the-shop
#     redirect_uris: [http://localhost:8080/callback]
#     scope: openid offline_access email profile

# The pages on which users sign in. Default: those of \`npx carnet ui\`. With pages of your own, there is no demo user.
# urls:
#   login: http://localhost:3000/login
#   consent: http://localhost:3000/consent

# The store. Default: SQLite in .carnet. For Postgres: npm install @carnet/adapter-postgres
# storage:
#   default: postgres://carnet:password@localhost/carnet

# How long tokens are valid, in seconds.
# ttl:
#   accessToken: 3600
#   refreshToken: 2592000
`;

/** The settings of a server on the machine of a developer. Carnet generates the secrets. */
export const forDevelopment = (): Written => ({ settings: { dev: true }, secrets: {}, template: developmentFile });
