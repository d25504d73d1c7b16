import { generateKeyPairSync } from 'node:crypto';
import { compactDecrypt, decodeJwt, decodeProtectedHeader, importJWK, type JWK, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import type { ClientRecord } from '../clients/client-record.ts';
import { createLocalSigner } from '../keys/signing/signer.ts';
import { createSigningKeys } from '../keys/signing/signing-keys.ts';
import { createClientJwts } from './client-jwt.ts';
import { createIdTokens, type IdTokenParts } from './id-token.ts';

const issuer = 'https://op.example';
const signingKeys = createSigningKeys([
  createLocalSigner({ privateKey: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey }),
  createLocalSigner({ privateKey: generateKeyPairSync('ed25519').privateKey }),
]);
const encryption = generateKeyPairSync('ec', { namedCurve: 'P-256' });

const idTokensWith = (idTokenClaims: 'always' | 'requested') =>
  createIdTokens({
    options: { issuer, ttl: { idToken: 3600 }, idTokenAlg: 'ES256', idTokenClaims },
    subjects: {
      present: ({ metadata }, subject, forced) =>
        metadata.subject_type === 'pairwise' ? (forced ?? 'pseudonym') : subject,
    },
    createClientJwt: createClientJwts({
      options: { issuer },
      signingKeys,
      encryptionKeys: {
        find: async () => ({ ...encryption.publicKey.export({ format: 'jwk' }), kid: 'enc-1' }) as JWK,
      },
    }),
  });

const clientWith = (metadata: object) => ({ id: 'app', metadata }) as ClientRecord;

const parts: IdTokenParts = {
  client: clientWith({}),
  grantType: 'authorization_code',
  accountId: 'alice',
  grant: { idToken: { email: 'alice@example.com', plan: 'gold' } },
  authentication: { sid: 'session', authTime: 900, nonce: 'n-0S6_WzA2Mj', acr: 'urn:mace:silver', amr: ['pwd'] },
  hashed: {},
  iat: 1000,
};

const issue = (
  { maxLength, ...changes }: Partial<IdTokenParts> & { readonly maxLength?: number } = {},
  idTokenClaims: 'always' | 'requested' = 'always',
) => idTokensWith(idTokenClaims).issue({ ...parts, ...changes }, { maxLength });

describe('an ID token', () => {
  it('has the claims of OpenID Connect Core, section 2, and is signed with the algorithm of the configuration', async () => {
    const jwt = await issue();
    const key = signingKeys.signerFor('ES256')?.publicKey;
    await jwtVerify(jwt, key as never, { issuer, audience: 'app', currentDate: new Date(1_000_000) });
    expect(decodeProtectedHeader(jwt)).toEqual({ alg: 'ES256', kid: signingKeys.signerFor('ES256')?.kid });
    expect(decodeJwt(jwt)).toEqual({
      iss: issuer,
      sub: 'alice',
      aud: 'app',
      exp: 4600,
      iat: 1000,
      auth_time: 900,
      nonce: 'n-0S6_WzA2Mj',
      acr: 'urn:mace:silver',
      amr: ['pwd'],
      sid: 'session',
      jti: expect.any(String),
      email: 'alice@example.com',
      plan: 'gold',
    });
  });

  it('the algorithm that the client registered signs the token', async () => {
    const jwt = await issue({ client: clientWith({ id_token_signed_response_alg: 'EdDSA' }) });
    expect(decodeProtectedHeader(jwt).alg).toBe('EdDSA');
  });

  it('an algorithm without a signing key is refused', async () => {
    const client = clientWith({ id_token_signed_response_alg: 'RS256' });
    expect(() => issue({ client })).toThrow(expect.objectContaining({ code: 'server_error' }));
  });

  it('lives as long as the client registered for the grant type', async () => {
    const client = clientWith({ implicit_grant_id_token_lifespan: '5m' });
    expect(decodeJwt(await issue({ client, grantType: 'implicit' })).exp).toBe(1300);
    expect(decodeJwt(await issue({ client })).exp).toBe(4600);
  });

  it('names the subject as a pairwise client sees it', async () => {
    const client = clientWith({ subject_type: 'pairwise' });
    expect(decodeJwt(await issue({ client })).sub).toBe('pseudonym');
    expect(decodeJwt(await issue({ client, grant: { forcedSubject: 'forced' } })).sub).toBe('forced');
  });

  it('keeps the claims of the protocol against the claims of the consent app', async () => {
    const idToken = {
      sub: 'mallory',
      aud: 'other',
      nonce: 'other',
      at_hash: 'x',
      events: {},
      email: 'alice@example.com',
    };
    const claims = decodeJwt(await issue({ grant: { idToken }, authentication: {} }));
    expect(claims).toMatchObject({ sub: 'alice', aud: 'app', email: 'alice@example.com' });
    for (const name of ['nonce', 'at_hash', 'events']) expect(claims).not.toHaveProperty(name);
  });
});

describe('hashes', () => {
  // The examples of OpenID Connect Core, appendix A.4 and A.6.
  const code = 'Qcb0Orv1zh30vL1MPRsbm-diHiMwcLyZvn1arpZv-Jxf_11jnpEX3Tgfvk';
  const accessToken = 'jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y';

  it('are the left halves of SHA-256 for ES256 (section 3.3.2.11)', async () => {
    const claims = decodeJwt(await issue({ hashed: { accessToken, code } }));
    expect(claims).toMatchObject({ at_hash: '77QmUPtjPfzWtF2AnpK9RQ', c_hash: 'LDktKdoQak3Pk0cnXxCltA' });
    expect(claims).not.toHaveProperty('s_hash');
  });

  it('are the left halves of SHA-512 for EdDSA', async () => {
    const client = clientWith({ id_token_signed_response_alg: 'EdDSA' });
    const claims = decodeJwt(await issue({ client, hashed: { state: 'af0ifjsldkj' } }));
    expect(Buffer.from(String(claims.s_hash), 'base64url')).toHaveLength(32);
    expect(claims).not.toHaveProperty('at_hash');
  });
});

describe('requested claims (section 5.5)', () => {
  const requested = { email: { essential: true }, picture: null };

  it('are the only claims of the consent app if the configuration demands a request', async () => {
    const claims = decodeJwt(await issue({ requested }, 'requested'));
    expect(claims).toMatchObject({ sub: 'alice', email: 'alice@example.com' });
    expect(claims).not.toHaveProperty('plan');
    expect(decodeJwt(await issue({}, 'requested'))).not.toHaveProperty('email');
  });

  it('do not matter without an access token, because there is no userinfo (section 5.4)', async () => {
    expect(decodeJwt(await issue({ isWithoutUserinfo: true }, 'requested'))).toMatchObject({ plan: 'gold' });
  });
});

describe('in a URL', () => {
  it('a long ID token leaves out the claims of the consent app', async () => {
    const grant = { idToken: { bio: 'x'.repeat(1000) } };
    const long = decodeJwt(await issue({ grant, maxLength: 1400 }));
    expect(long).not.toHaveProperty('bio');
    expect(long).toMatchObject({ sub: 'alice', nonce: 'n-0S6_WzA2Mj' });
    expect(decodeJwt(await issue({ maxLength: 1400 }))).toHaveProperty('plan');
  });
});

describe('encryption', () => {
  const client = clientWith({ id_token_encrypted_response_alg: 'ECDH-ES+A128KW' });

  it('nests the signed JWT in a JWE (RFC 7519, section 5.2) to a key of the client', async () => {
    const { plaintext, protectedHeader } = await compactDecrypt(await issue({ client }), encryption.privateKey);
    expect(protectedHeader).toMatchObject({
      alg: 'ECDH-ES+A128KW',
      enc: 'A128CBC-HS256',
      cty: 'JWT',
      kid: 'enc-1',
      iss: issuer,
      aud: 'app',
    });
    const nested = new TextDecoder().decode(plaintext);
    const jwk = signingKeys.signerFor('ES256')?.publicKey.export({ format: 'jwk' });
    const { payload } = await jwtVerify(nested, await importJWK(jwk as JWK, 'ES256'), {
      currentDate: new Date(1_000_000),
    });
    expect(payload.sub).toBe('alice');
  });

  it('uses the content encryption that the client registered', async () => {
    const metadata = { ...client.metadata, id_token_encrypted_response_enc: 'A256GCM' };
    expect(decodeProtectedHeader(await issue({ client: clientWith(metadata) })).enc).toBe('A256GCM');
  });
});
