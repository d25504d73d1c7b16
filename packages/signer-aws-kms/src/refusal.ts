import { KMSServiceException } from '@aws-sdk/client-kms';
import { SignerUnavailableError, SignerUnfitError } from '@carnet/signer-contract';

/** The permission that a call needs, as IAM policies name it. */
export type Permission = 'kms:DescribeKey' | 'kms:GetPublicKey' | 'kms:Sign' | 'kms:Encrypt' | 'kms:Decrypt';

interface ServiceError {
  readonly name: string;
  /** The error of a connection, such as `ECONNREFUSED`. */
  readonly code?: string;
  readonly $fault?: string;
  readonly $metadata?: {
    readonly httpStatusCode?: number;
    readonly requestId?: string;
    readonly clockSkewCorrected?: boolean;
  };
}

const useCredentials =
  'Check the credentials of this process (environment, profile or role): `aws sts get-caller-identity` must work with them.';

/** The remedies of refusals, by the name of the error. */
const remedies: Readonly<Record<string, (permission: Permission) => string>> = {
  AccessDeniedException: (permission) =>
    `Allow \`${permission}\` on this key, in an IAM policy of these credentials or in the policy of the key.`,
  NotFoundException: () =>
    'No such key or alias. Check its name, the region and the account, or remove it from the URL.',
  DisabledException: () => 'The key is disabled. Enable it, or remove it from the URL.',
  KMSInvalidStateException: () =>
    'The state of the key does not allow this: cancel its deletion, import its key material, or connect its key store.',
  InvalidKeyUsageException: (permission) =>
    permission === 'kms:Sign' || permission === 'kms:GetPublicKey'
      ? 'The key does not sign. Create one with the key usage SIGN_VERIFY.'
      : 'The key does not encrypt. Create one with the key spec SYMMETRIC_DEFAULT.',
  IncorrectKeyException: () =>
    'Another key has encrypted this. Add that key to the URL, after the one that encrypts now.',
  InvalidCiphertextException: () =>
    'This was not encrypted by this key for Carnet, or it was changed. Restore the store from a backup.',
  UnrecognizedClientException: () => useCredentials,
  InvalidClientTokenId: () => useCredentials,
  ExpiredTokenException: () => `The credentials have expired. ${useCredentials}`,
  InvalidSignatureException: () => `${useCredentials} Check the clock of this machine.`,
};

const isThrottled = ({ name, $metadata }: ServiceError): boolean =>
  $metadata?.httpStatusCode === 429 || /Throttl|TooManyRequests|RequestLimitExceeded|SlowDown/.test(name);

/**
 * The original error is not the `cause` of a refusal: for a wrong signature, its message has the signed headers, among them
 * the session token.
 */
const refusal = (permission: Permission, key: string, { name, $metadata }: ServiceError): SignerUnfitError => {
  const remedy = remedies[name]?.(permission) ?? `The AWS documentation of the call describes ${name}.`;
  const request = $metadata?.requestId === undefined ? '' : ` (request ${$metadata.requestId})`;
  return new SignerUnfitError(`AWS KMS refused ${permission} for ${key} with ${name}. ${remedy}${request}`);
};

/** The error of an answer leads to the request, with the data and the session token: it is not the `cause`. */
const outage = (permission: Permission, error: ServiceError): SignerUnavailableError => {
  const status = error.$metadata?.httpStatusCode;
  const what = `${error.code ?? error.name}${status === undefined ? '' : ` (${status})`}`;
  const cause = '$response' in error ? {} : { cause: error };
  return new SignerUnavailableError(`AWS KMS did not answer ${permission}: ${what}`, cause);
};

const isCredentialsError = (error: ServiceError): boolean =>
  error.name === 'CredentialsProviderError' || error.name === 'TokenProviderError' || error.$fault === 'client';

const toServiceError = (error: unknown): ServiceError =>
  error instanceof Error ? error : { name: 'an unknown error' };

/** The error of a call as one of the port. An error that is not a refusal is an outage: the SDK throws many kinds. */
const toSignerError = (permission: Permission, key: string, thrown: unknown): Error => {
  const error = toServiceError(thrown);
  const status = error.$metadata?.httpStatusCode ?? 0;
  // The SDK has read the service's clock from the answer: the next call is signed with it.
  const isRepeatable = isThrottled(error) || status >= 500 || error.$metadata?.clockSkewCorrected === true;
  if (!isRepeatable && thrown instanceof KMSServiceException && status >= 400) return refusal(permission, key, error);
  // The chain of credentials calls other services, such as STS.
  if (!isRepeatable && !(thrown instanceof KMSServiceException) && isCredentialsError(error)) {
    return new SignerUnfitError(`There are no AWS credentials for ${permission}: ${error.name}. ${useCredentials}`);
  }
  return outage(permission, error);
};

/** Runs a call of KMS for a key, and throws its errors as those of the port. */
export const calling = async <T>(permission: Permission, key: string, call: () => Promise<T>): Promise<T> => {
  try {
    return await call();
  } catch (error) {
    throw toSignerError(permission, key, error);
  }
};
