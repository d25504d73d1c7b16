import { StoreUnfitError } from '@carnet/adapter-contract';
import { TimeoutError } from '@carnet/adapter-contract/kit';
import type { CancellationReason, Operation } from './wire.ts';

/** An answer of DynamoDB that is an error. It repeats nothing of the request: an error of a signature would. */
export class DynamoDbError extends Error {
  override readonly name = 'DynamoDbError';
  /** The name of the error in the API. */
  readonly type: string;
  readonly status: number;
  // No property: a logger would write the items in it.
  readonly #reasons: readonly CancellationReason[];

  constructor(
    operation: Operation,
    answer: {
      readonly type: string;
      readonly status: number;
      readonly requestId: string | undefined;
      readonly reasons: readonly CancellationReason[];
    },
  ) {
    const { type, status, requestId, reasons } = answer;
    const codes = [...new Set(reasons.map(({ Code }) => Code))].filter((code) => code !== 'None');
    const why = codes.length > 0 ? `: ${codes.join(', ')}` : '';
    super(`DynamoDB answered ${operation} with ${type} (${status}, request ${requestId ?? 'without an id'})${why}`);
    this.type = type;
    this.status = status;
    this.#reasons = reasons;
  }

  /** The reasons of a cancelled transaction: one for each action, in their order. */
  get reasons(): readonly CancellationReason[] {
    return this.#reasons;
  }
}

/** No answer came: the connection failed, or broke. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}

/** There are no credentials, or the service that has them does not answer. */
export class CredentialsError extends Error {
  override readonly name = 'CredentialsError';
}

/** DynamoDB has left keys out: their items exceed 16 MB together, or the capacity of the table. */
export class UnprocessedError extends Error {
  override readonly name = 'UnprocessedError';
}

const conflict = 'TransactionConflict';
const throttled = ['ThrottlingError', 'ProvisionedThroughputExceeded'];

const has = (error: DynamoDbError, ...codes: readonly string[]): boolean =>
  error.reasons.some(({ Code }) => codes.includes(Code));

const isOfType = (error: unknown, type: string): boolean => error instanceof DynamoDbError && error.type === type;

/** The same transaction has arrived before, and is not over. */
export const isInProgress = (error: unknown): boolean => isOfType(error, 'TransactionInProgressException');

/** The action that failed because of its condition, and what its item was. */
export const isConditionFailed = ({ Code }: CancellationReason): boolean => Code === 'ConditionalCheckFailed';

/** An update would have made its item larger than DynamoDB allows. Nothing was carried out. */
export const isTooLarge = (error: unknown): boolean => error instanceof DynamoDbError && has(error, 'ValidationError');

/** Other writes of the same items were under way. Nothing was carried out; it may succeed the next time. */
export const isCollision = (error: unknown): boolean =>
  error instanceof DynamoDbError &&
  (error.type === 'TransactionConflictException' || isInProgress(error) || has(error, conflict));

/** Beyond the capacity of the table, a partition or the account. Nothing was carried out. */
const isThrottled = (error: unknown): boolean =>
  error instanceof DynamoDbError &&
  (/^(Throttling|ThrottlingException|ProvisionedThroughputExceededException|RequestLimitExceeded)$/.test(error.type) ||
    has(error, ...throttled));

/** The service could not answer for now. If the request was a write, its outcome may be unknown. */
export const isOutage = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  error instanceof TimeoutError ||
  error instanceof UnprocessedError ||
  isThrottled(error) ||
  (error instanceof DynamoDbError && error.status >= 500);

/** A condition of a request that is no transaction. */
export const isConditionalCheckFailure = (error: unknown): boolean =>
  isOfType(error, 'ConditionalCheckFailedException');

export const isTableMissing = (error: unknown): boolean =>
  error instanceof StoreUnfitError && isOfType(error.cause, 'ResourceNotFoundException');

/** Another process has created the table. */
export const isTableThere = (error: unknown): boolean => isOfType(error, 'ResourceInUseException');

const checkCredentials =
  'Check the AWS credentials of this process (environment, profile or role): `aws sts get-caller-identity` must work with them.';

const checkClock = 'Check the clock of this machine: AWS refuses requests that are signed at another time.';

const remedies: Readonly<Record<string, string>> = {
  ResourceNotFoundException:
    'There is no such DynamoDB table in this region, or it is not active yet. Create it with `carnet migrate up`, or correct the DynamoDB URL.',
  AccessDeniedException:
    'The AWS credentials may not use the DynamoDB table. The README of @carnet/adapter-dynamodb has the IAM policy.',
  UnrecognizedClientException: checkCredentials,
  InvalidSignatureException: `${checkCredentials} ${checkClock}`,
  RequestTimeTooSkewed: checkClock,
  RequestExpired: checkClock,
  IncompleteSignatureException: checkCredentials,
  MissingAuthenticationTokenException: checkCredentials,
  ExpiredTokenException: `The AWS credentials have expired. ${checkCredentials}`,
  ValidationException:
    'DynamoDB refused a request of Carnet: its table has another key than `pk` and `sk`, or with `expiry=sweep` it has no index `sweep`. See the README of @carnet/adapter-dynamodb.',
};

/** A refusal without a name that is known here, such as that of a proxy. */
const refused = `DynamoDB refused access. ${checkCredentials} The README of @carnet/adapter-dynamodb has the IAM policy.`;

/** The same error, or one that says what to do about it. */
export const explain = (error: unknown): unknown => {
  if (error instanceof CredentialsError)
    return new StoreUnfitError(`There are no AWS credentials. ${checkCredentials}`, { cause: error });
  if (!(error instanceof DynamoDbError)) return error;
  const remedy = remedies[error.type] ?? (error.status === 403 ? refused : undefined);
  return remedy === undefined ? error : new StoreUnfitError(remedy, { cause: error });
};
