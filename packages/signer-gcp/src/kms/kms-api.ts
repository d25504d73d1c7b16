import { SignerUnavailableError } from '@carnet/signer-contract';
import { openCredentials } from '../access-token.ts';
import { checksum } from '../crc32c.ts';
import { type Answer, type GoogleApi, openGoogleApi } from '../google-api.ts';

/** Opens the Cloud KMS API. */
export const openKms = (cryptoKey: string, endpoint: URL | undefined, permissions: string): GoogleApi =>
  openGoogleApi({
    origin: endpoint ?? new URL('https://cloudkms.googleapis.com'),
    credentials: openCredentials(endpoint),
    advice: `Check that ${cryptoKey} exists and is enabled, and that the service account of Carnet has ${permissions} on it.`,
  });

/**
 * Checks that an answer of Cloud KMS is the answer to this request, and that neither was changed on its way: the service has
 * compared the checksums of the request, and the bytes of the answer have the checksum that the service computed.
 *
 * @throws SignerUnavailableError, since another attempt may arrive unchanged
 */
const assertUnchanged = (isUnchanged: boolean, what: string): void => {
  if (!isUnchanged) throw new SignerUnavailableError(`Cloud KMS: ${what}. The request or the answer was changed.`);
};

/** @param fields the members of the request that have a checksum, such as `Digest` */
export const assertReceived = (answer: Answer, fields: readonly string[]): void => {
  for (const field of fields) {
    assertUnchanged(answer[`verified${field}Crc32c`] === true, `the checksum of the ${field} was not verified`);
  }
};

export const assertNamed = (answer: Answer, name: string): void =>
  assertUnchanged(answer.name === name, 'the answer names another key version');

/** The bytes of a member of the answer, in base64. */
export const readBytes = (answer: Answer, field: string): Buffer => {
  const bytes = Buffer.from(String(answer[field] ?? ''), 'base64');
  assertUnchanged(String(answer[`${field}Crc32c`]) === checksum(bytes), `the checksum of the ${field} is wrong`);
  return bytes;
};
