import { randomUUID } from 'node:crypto';
import { findFreePort } from '@carnet/test-servers';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { expect } from 'vitest';
import { redirectUri } from '../../provider/test/clients.ts';
import { connect, signIn, type Tokens } from '../../provider/test/relying-party.ts';
import { main, startProgram, temporaryFolder } from './start-program.ts';

/** `carnet serve --dev` with keys of a service and JWT access tokens. Resolves when it is ready. */
export const serveSigned = async (env: Record<string, string>, folder = temporaryFolder()) => {
  const port = await findFreePort();
  const issuer = `http://127.0.0.1:${port}`;
  const settings = { PORT: `${port}`, ADMIN_PORT: '0', ISSUER: issuer, ACCESS_TOKEN_STRATEGY: 'jwt', ...env };
  const program = startProgram(main, ['serve', '--dev'], settings, folder);
  const { adminUrl } = JSON.parse(await program.line('"msg":"ready"'));
  return { ...program, issuer, admin: adminUrl as string };
};

type Served = Awaited<ReturnType<typeof serveSigned>>;

/** A whole login by openid-client, which verifies the ID token. */
export const signInWith = async (served: Served, alg: string): Promise<Tokens> => {
  const metadata = { id_token_signed_response_alg: alg };
  const client = { id: `app-${randomUUID()}`, secret: 'a secret of the app' };
  const registered = await fetch(`${served.admin}/admin/clients`, {
    method: 'POST',
    body: JSON.stringify({
      ...metadata,
      client_id: client.id,
      client_secret: client.secret,
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      scope: 'openid offline_access profile',
    }),
  });
  expect(registered.status).toBe(201);
  return signIn(served, await connect(served, client, undefined, metadata));
};

export const verifiesWithJose = async ({ issuer }: Served, jwt: string | undefined, alg: string): Promise<void> => {
  const keys = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`));
  await jwtVerify(`${jwt}`, keys, { issuer, algorithms: [alg] });
};
