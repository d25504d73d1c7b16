import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { decodeAttestationObject, isoBase64URL, isoCBOR } from '@simplewebauthn/server/helpers';

/**
 * The response of a registration with the attestation `none`, whatever the browser sent. Authenticators of every vendor are accepted.
 *
 * Safe because no certificate from the browser is parsed. The library would fetch the revocation list from any URL that a
 * certificate names, before it knows who issued the certificate.
 *
 * @throws if the attestation object cannot be decoded
 */
export const withoutAttestation = (response: RegistrationResponseJSON): RegistrationResponseJSON => {
  const sent = decodeAttestationObject(isoBase64URL.toBuffer(response.response.attestationObject));
  const object = new Map<string, string | Map<string, never> | Uint8Array<ArrayBuffer>>([
    ['fmt', 'none'],
    ['attStmt', new Map<string, never>()],
    ['authData', sent.get('authData')],
  ]);
  const attestationObject = isoBase64URL.fromBuffer(isoCBOR.encode(object));
  return { ...response, response: { ...response.response, attestationObject } };
};
