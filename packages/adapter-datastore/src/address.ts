import { StoreUnfitError } from '@carnet/adapter-contract';

/** The settings of a URL. */
export interface Address {
  readonly projectId: string;
  /** Empty: the default database. */
  readonly databaseId: string;
  /** Empty: the default namespace. */
  readonly namespaceId: string;
  /** Host and port of the service, if it is not Google's global one. */
  readonly endpoint?: string;
  /** How long a call may take, all its attempts together. */
  readonly timeoutMs: number;
  /** `sweep`: Carnet removes expired records, by an index. `ttl`: a TTL policy of the database removes them. */
  readonly expiry: 'sweep' | 'ttl';
}

const parameters = ['namespace', 'endpoint', 'timeout', 'expiry'];

const refuse = (problem: string): never => {
  throw new StoreUnfitError(`The Datastore URL cannot be used: ${problem}`);
};

const takeMatching = (given: URLSearchParams, name: string, pattern: RegExp, problem: string): string | undefined => {
  const text = given.get(name) ?? undefined;
  return text === undefined || pattern.test(text) ? text : refuse(`${name} ${problem}`);
};

const parseTimeout = (text: string | null): number => {
  const timeoutMs = text === null ? 5_000 : /^\d{3,5}$/.test(text) ? Number(text) : 0;
  const isValid = Number.isInteger(timeoutMs) && timeoutMs >= 100 && timeoutMs <= 60_000;
  return isValid ? timeoutMs : refuse('timeout is in milliseconds, from 100 to 60000.');
};

const parseQuery = (query: string) => {
  const given = new URLSearchParams(query);
  if ([...given.keys()].some((name) => !parameters.includes(name)))
    refuse(`it takes the parameters ${parameters.join(', ')} and no other. Credentials are never in the URL.`);
  const expiry = takeMatching(given, 'expiry', /^(sweep|ttl)$/, 'is sweep or ttl.') as Address['expiry'] | undefined;
  return {
    namespaceId: takeMatching(given, 'namespace', /^[\w.-]{1,100}$/, 'takes 1 to 100 of A-Z a-z 0-9 . _ -') ?? '',
    endpoint: takeMatching(given, 'endpoint', /^(\[[\da-f:]+\]|[\w.-]+):\d{1,5}$/i, 'is a host and a port.'),
    timeoutMs: parseTimeout(given.get('timeout')),
    expiry: expiry ?? 'sweep',
  };
};

/**
 * Reads `datastore:<project>[/<database>][?namespace=...]`.
 *
 * @throws StoreUnfitError
 */
export const parseAddress = (url: string): Address => {
  const [, projectId = '', databaseId = '', query = ''] =
    /^datastore:([a-z][a-z0-9.:-]*)(?:\/(\(default\)|[a-z][a-z0-9-]*))?(?:\?([^#]*))?$/.exec(url) ??
    refuse('it must be like datastore:my-project, or datastore:my-project/my-database?namespace=carnet.');
  return { projectId, databaseId: databaseId === '(default)' ? '' : databaseId, ...parseQuery(query) };
};
