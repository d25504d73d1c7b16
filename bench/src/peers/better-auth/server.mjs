// better-auth with its OAuth provider. The bench copies this file into the folder of its packages. BETTER_AUTH_PEER has the settings as JSON.
import cluster from 'node:cluster';
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { oauthProvider } from '@better-auth/oauth-provider';
import { betterAuth } from 'better-auth';
import { hashPassword, verifyPassword } from 'better-auth/crypto';
import { getMigrations } from 'better-auth/db/migration';
import { toNodeHandler } from 'better-auth/node';
import { jwt } from 'better-auth/plugins';
import pg from 'pg';

const { port, database, secret, workers, users } = JSON.parse(process.env.BETTER_AUTH_PEER);
const baseURL = `http://127.0.0.1:${port}`;

/** Passwords that begin with this word are hashed with SHA-256, to measure logins without the cost of a password hash. */
const cheap = 'cheap';
const sha256 = (password) => cheap + createHash('sha256').update(password).digest('hex');

const auth = betterAuth({
  baseURL,
  secret,
  database: new pg.Pool({ connectionString: database }),
  emailAndPassword: {
    enabled: true,
    autoSignIn: false,
    password: {
      hash: async (password) => (password.startsWith(cheap) ? sha256(password) : hashPassword(password)),
      verify: async ({ hash, password }) =>
        hash.startsWith(cheap) ? hash === sha256(password) : verifyPassword({ hash, password }),
    },
  },
  // All users of the bench have one address.
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  disabledPaths: ['/token'],
  plugins: [
    jwt({ jwks: { keyPairConfig: { alg: 'ES256' } } }),
    oauthProvider({
      loginPage: `${baseURL}/sign-in`,
      consentPage: `${baseURL}/consent`,
      // The bench registers its client by these requests.
      allowDynamicClientRegistration: true,
      allowUnauthenticatedClientRegistration: true,
    }),
  ],
});

if (cluster.isPrimary) {
  const { runMigrations } = await getMigrations(auth.options);
  await runMigrations();
  await Promise.all(
    users.map(({ name, email, password }) => auth.api.signUpEmail({ body: { name, email, password } })),
  );
  // The JWK set is created by its first request.
  await auth.api.getJwks();
  for (let index = 0; index < workers; index += 1) cluster.fork();
} else {
  createServer(toNodeHandler(auth)).listen(port, '127.0.0.1');
}
