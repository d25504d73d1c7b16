import { StoreUnfitError } from '@carnet/adapter-contract';
import { isLoopbackHost } from '@carnet/adapter-contract/kit';

/** The settings of a URL. */
export interface Address {
  readonly region: string;
  readonly table: string;
  /** The origin of the service. */
  readonly endpoint: string;
  /** How long a call may take, all its attempts together. */
  readonly timeoutMs: number;
  /**
   * `ttl`: DynamoDB removes expired records, within a few days. `sweep`: Carnet removes them on time, too, by an index of
   * the table.
   */
  readonly expiry: 'sweep' | 'ttl';
}

const parameters = ['endpoint', 'timeout', 'expiry'];

const refuse = (problem: string): never => {
  throw new StoreUnfitError(`The DynamoDB URL cannot be used: ${problem}`);
};

const parseTimeout = (text: string | null): number => {
  const timeoutMs = text === null ? 5_000 : /^\d{3,5}$/.test(text) ? Number(text) : 0;
  const isValid = timeoutMs >= 100 && timeoutMs <= 60_000;
  return isValid ? timeoutMs : refuse('timeout is in milliseconds, from 100 to 60000.');
};

const parseExpiry = (text: string | null): Address['expiry'] => {
  if (text === null || text === 'ttl') return 'ttl';
  return text === 'sweep' ? text : refuse('expiry is ttl or sweep.');
};

/** The endpoint of a region: https://docs.aws.amazon.com/general/latest/gr/ddb.html. */
const endpointOf = (region: string): string =>
  `https://dynamodb.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;

const parseEndpoint = (text: string): string => {
  const url = URL.parse(text);
  if (url === null || !['https:', 'http:'].includes(url.protocol)) return refuse('endpoint is an https URL.');
  if (url.username !== '' || url.password !== '' || text !== url.origin)
    return refuse('endpoint is an origin, such as https://dynamodb.eu-west-1.amazonaws.com, without a path.');
  // Temporary credentials send their session token as a header: without TLS, the network could read it.
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname))
    return refuse('endpoint has no TLS, and is on another machine. Use https.');
  return url.origin;
};

/**
 * Reads `dynamodb://<region>/<table>[?endpoint=...]`.
 *
 * @throws StoreUnfitError
 */
export const parseAddress = (url: string): Address => {
  const [, region = '', table = '', query = ''] =
    /^dynamodb:\/\/([a-z]{2}(?:-[a-z0-9]+){1,5})\/([\w.-]{3,255})(?:\?([^#]*))?$/.exec(url) ??
    refuse('it must be like dynamodb://eu-west-1/carnet.');
  const given = new URLSearchParams(query);
  if ([...given.keys()].some((name) => !parameters.includes(name)))
    refuse(`it takes the parameters ${parameters.join(', ')} and no other. Credentials are never in the URL.`);
  const endpoint = given.get('endpoint');
  return {
    region,
    table,
    endpoint: endpoint === null ? endpointOf(region) : parseEndpoint(endpoint),
    timeoutMs: parseTimeout(given.get('timeout')),
    expiry: parseExpiry(given.get('expiry')),
  };
};
