import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import {
  type Claims,
  createIdentityStandIn,
  type IdentityStandIn,
  type RegisteredClient,
} from './identity-stand-in.ts';
import { openIdRules } from './openid-rules.ts';

export const appleTeam = { teamId: 'TEAM123456', keyId: 'KEY1234567' };

const issuer = 'https://appleid.apple.com';
const longestSeconds = 15_777_000;

const decode = (part: string): Claims => Object(JSON.parse(Buffer.from(part, 'base64url').toString()));

/** Whether the client secret is a JWT that the key of the team has signed. */
const isSignedSecret = (secret: string, clientId: string, key: KeyObject): boolean => {
  const [head = '', body = '', signature = ''] = secret.split('.');
  if (head === '' || body === '') return false;
  const { alg, kid } = decode(head);
  const { iss, sub, aud, iat, exp } = decode(body);
  const [now, issuedAt, expiresAt] = [Date.now() / 1000, Number(iat), Number(exp)];
  const isTimely = issuedAt <= now + 1 && expiresAt > now && expiresAt - issuedAt <= longestSeconds;
  if (
    !isTimely ||
    alg !== 'ES256' ||
    kid !== appleTeam.keyId ||
    iss !== appleTeam.teamId ||
    sub !== clientId ||
    aud !== issuer
  )
    return false;
  const signed = Buffer.from(`${head}.${body}`);
  return verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'));
};

/**
 * Apple: the secret is a JWT, the answer is a form, and only the first form of a user has the name. `user.user` is the content of that
 * field.
 */
export const createAppleStandIn = (client: RegisteredClient, publicKey: string): IdentityStandIn => {
  const key = createPublicKey(publicKey);
  const signedIn = new Set<unknown>();
  const rules = openIdRules(client, {
    issuer,
    metadataUrl: `${issuer}/.well-known/openid-configuration`,
    endpoints: {
      authorization: `${issuer}/auth/authorize`,
      token: `${issuer}/auth/token`,
      keys: `${issuer}/auth/keys`,
    },
    parameters: ['response_mode'],
    authentication: ['client_secret_post'],
  });
  return createIdentityStandIn(client, {
    ...rules,
    authentication: ['post'],
    required: { response_mode: 'form_post' },
    isSecret: (secret) => isSignedSecret(secret, client.clientId, key),
    answerAbout: ({ sub, user }): Readonly<Record<string, string>> => {
      if (signedIn.has(sub) || typeof user !== 'string') return {};
      signedIn.add(sub);
      return { user };
    },
    tokenMembers: ({ user: { user: _form, ...claims }, ...grant }, keys) =>
      rules.tokenMembers({ ...grant, user: { nonce_supported: true, ...claims } }, keys),
  });
};
