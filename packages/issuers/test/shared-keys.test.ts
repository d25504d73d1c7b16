import { expect, it } from 'vitest';
import { call, type Json, postForm, userinfo } from '../../provider/test/call.ts';
import { basicOf } from '../../provider/test/clients.ts';
import { introspect, login } from '../../provider/test/login.ts';
import { client, openInstallation } from './open-installation.ts';

const claimsOf = (jwt: unknown): Json =>
  JSON.parse(Buffer.from(String(jwt).split('.')[1] ?? '', 'base64url').toString()) as Json;

const names = [undefined, 'acme', 'shop'] as const;

it('a JWT of one issuer is nothing at another that signs with the same keys, and its iss is its own', async () => {
  const { at, register } = await openInstallation({
    // Dev mode generates keys, which all issuers then inherit as they would inherit `keys.file`.
    config: { keys: { source: 'file' }, tokens: { accessTokenStrategy: 'jwt' } },
    issuersAt: (port) => ({
      acme: { issuer: `http://localhost:${port}` },
      shop: { issuer: `http://127.0.0.1:${port}/shop` },
    }),
  });
  for (const name of names) await register(name);
  const published = await Promise.all(
    names.map(async (name) => (await call(`${at(name).issuer}/.well-known/jwks.json`)).body),
  );
  expect(published[1]).toEqual(published[0]);
  expect(published[2]).toEqual(published[0]);
  for (const own of names) {
    const tokens = await login(at(own), client);
    const [access, id] = [String(tokens.access_token), String(tokens.id_token)];
    expect([claimsOf(access).iss, claimsOf(id).iss]).toEqual([at(own).issuer, at(own).issuer]);
    for (const other of names.filter((name) => name !== own)) {
      expect(await introspect(at(other), access)).toEqual({ active: false });
      expect(await userinfo(at(other), access)).toMatchObject({ status: 401 });
      await postForm(`${at(other).issuer}/oauth2/revoke`, { token: access }, basicOf(client));
      expect(
        (await fetch(`${at(other).issuer}/oauth2/sessions/logout?id_token_hint=${id}`, { redirect: 'manual' })).status,
      ).toBe(400);
    }
    expect(await introspect(at(own), access)).toMatchObject({ active: true, iss: at(own).issuer });
    expect(await userinfo(at(own), access)).toMatchObject({ status: 200 });
  }
});
