import { hash, randomUUID } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { assertionKey, clients } from './threat-target.ts';

const newJti = (): string => randomUUID();

/** A client assertion (RFC 7523) of the client `signing`. `expires`: as jose takes it. */
export const clientAssertion = (audience: string, expires: string | number = '2m'): Promise<string> =>
  new SignJWT()
    .setJti(newJti())
    .setProtectedHeader({ alg: 'ES256', kid: 'assertions' })
    .setIssuer(clients.signing.id)
    .setSubject(clients.signing.id)
    .setAudience(audience)
    .setIssuedAt()
    .setExpirationTime(expires)
    .sign(assertionKey);

/** The form of a client_credentials request of the client `signing`. */
export const assertionForm = (assertion: string): URLSearchParams =>
  new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clients.signing.id,
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: assertion,
  });

const generateProofKeys = () => generateKeyPair('ES256', { extractable: true });
const proofKeys = await generateProofKeys();
export const otherProofKeys = await generateProofKeys();
export const proofThumbprint = await calculateJwkThumbprint(await exportJWK(proofKeys.publicKey));

/** A DPoP proof (RFC 9449): for a POST, or with an access token for a GET. */
export const dpopProof = async (
  htu: string,
  accessToken?: string,
  keys = proofKeys,
  issuedAt = Math.floor(Date.now() / 1000),
): Promise<string> =>
  new SignJWT(
    accessToken === undefined
      ? { htm: 'POST', htu }
      : { htm: 'GET', htu, ath: hash('sha256', accessToken, 'base64url') },
  )
    .setJti(newJti())
    .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk: await exportJWK(keys.publicKey) })
    .setIssuedAt(issuedAt)
    .sign(keys.privateKey);
