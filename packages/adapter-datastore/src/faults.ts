import { StoreUnfitError } from '@carnet/adapter-contract';
import { TimeoutError } from '@carnet/adapter-contract/kit';

/** The codes of gRPC that the adapter distinguishes. */
const codes = {
  cancelled: 1,
  unknown: 2,
  deadlineExceeded: 4,
  notFound: 5,
  alreadyExists: 6,
  permissionDenied: 7,
  resourceExhausted: 8,
  failedPrecondition: 9,
  aborted: 10,
  internal: 13,
  unavailable: 14,
  unauthenticated: 16,
} as const;

const codeOf = (error: unknown): number | undefined => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'number' ? code : undefined;
};

const isOf =
  (...names: readonly (keyof typeof codes)[]) =>
  (error: unknown): boolean =>
    names.some((name) => codes[name] === codeOf(error));

/** Another transaction was in the way. Nothing was carried out; it may succeed the next time. */
export const isCollision = isOf('aborted');

/** The service could not answer for now. If the request was a commit, its outcome is unknown. */
export const isOutage = isOf(
  'unavailable',
  'internal',
  'unknown',
  'deadlineExceeded',
  'resourceExhausted',
  'cancelled',
);

/** A record exists that was to be inserted. Nothing was carried out. */
export const isAlreadyThere = isOf('alreadyExists');

/** No answer came from the connection. */
export const isSilence = (error: unknown): boolean => error instanceof TimeoutError || isOf('deadlineExceeded')(error);

/** The message of the service is only in the cause. */
const remedies: Readonly<Record<number, string>> = {
  [codes.unauthenticated]:
    'Google refuses the credentials. Carnet uses Application Default Credentials: check GOOGLE_APPLICATION_CREDENTIALS or the service account of the machine.',
  [codes.permissionDenied]:
    'The service account may not use the Datastore database. Grant it the role roles/datastore.user on the project of the URL, and enable the API datastore.googleapis.com.',
  [codes.notFound]:
    'There is no such Datastore database. Create it (`gcloud firestore databases create --type=datastore-mode`), or correct the Datastore URL.',
  [codes.failedPrecondition]:
    'The database cannot be used as a Datastore: it is in native mode, or an index is missing. Create a database in Datastore mode, and see the README of @carnet/adapter-datastore for the indexes.',
};

const isWithoutCredentials = (error: unknown): boolean =>
  error instanceof Error && error.message.includes('Could not load the default credentials');

/** The same error, or one that says what to do about it. */
export const explain = (error: unknown): unknown => {
  const remedy = isWithoutCredentials(error) ? remedies[codes.unauthenticated] : remedies[codeOf(error) ?? -1];
  return remedy === undefined ? error : new StoreUnfitError(remedy, { cause: error });
};
