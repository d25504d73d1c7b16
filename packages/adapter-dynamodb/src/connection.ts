import { defaultProvider } from '@aws-sdk/credential-provider-node';
import { type Deadline, isObject, parseJson, Sha256, TimeoutError, within } from '@carnet/adapter-contract/kit';
import { SignatureV4 } from '@smithy/signature-v4';
import { Agent, request } from 'undici';
import type { Address } from './address.ts';
import { type ConsumedCapacity, isFree, unitsIn } from './consumed.ts';
import { ConnectionError, CredentialsError, DynamoDbError, explain } from './faults.ts';
import type { CancellationReason, Messages, Operation } from './wire.ts';

/** Sends one request and resolves with its response. */
export interface Connection {
  call<O extends Operation>(operation: O, input: Messages[O][0], deadline: Deadline): Promise<Messages[O][1]>;
  close(): Promise<void>;
}

export interface ConnectionOptions extends Pick<Address, 'region' | 'endpoint'> {
  /** Called after each request that reads or writes items. */
  readonly onConsumed?: ((consumed: ConsumedCapacity) => void) | undefined;
}

/** Above the number of calls that one process makes at once. */
const mostConnections = 256;

const contentType = 'application/x-amz-json-1.0';

const toError = (operation: Operation, status: number, id: string | string[] | undefined, text: string) => {
  // No JSON: a proxy or a load balancer has answered.
  const answer = parseJson(text);
  const { __type = 'an unknown error', CancellationReasons } = isObject(answer) ? answer : {};
  const areReasons = Array.isArray(CancellationReasons) && CancellationReasons.every(isObject);
  const reasons = areReasons ? (CancellationReasons as readonly unknown[] as readonly CancellationReason[]) : [];
  const requestId = typeof id === 'string' ? id : undefined;
  return new DynamoDbError(operation, { type: `${__type}`.replace(/^.*#/, ''), status, requestId, reasons });
};

/** Signs requests as the AWS SDK does. */
const createSign = ({ region, endpoint }: ConnectionOptions) => {
  const { protocol, hostname, port, host } = new URL(endpoint);
  const signer = new SignatureV4({
    service: 'dynamodb',
    region,
    credentials: defaultProvider(),
    sha256: Sha256,
    applyChecksum: false,
  });
  return async (operation: Operation, body: string): Promise<Record<string, string>> => {
    const headers = { host, 'content-type': contentType, 'x-amz-target': `DynamoDB_20120810.${operation}` };
    const unsigned = { method: 'POST', protocol, hostname, path: '/', query: {}, headers, body };
    try {
      return (await signer.sign(port === '' ? unsigned : { ...unsigned, port: Number(port) })).headers;
    } catch (error) {
      // The chain of credentials found none. Its message may have the path of a file, and no secret.
      throw new CredentialsError('The chain of AWS credentials has failed.', { cause: error });
    }
  };
};

/**
 * Signed requests on undici. The client of the SDK takes several times the CPU for a call: it parses the endpoint, retries
 * and converts each value in a chain of functions. The adapter decides what is repeated.
 */
export const openConnection = (options: ConnectionOptions): Connection => {
  const { endpoint, onConsumed } = options;
  const sign = createSign(options);
  const agent = new Agent({ connections: mostConnections, keepAliveTimeout: 15_000, connect: { timeout: 3_000 } });
  const underWay = new Set<Promise<unknown>>();

  const post = async (body: string, headers: Record<string, string>, signal: AbortSignal) => {
    try {
      const answer = await request(endpoint, { method: 'POST', dispatcher: agent, headers, body, signal });
      return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
    } catch (error) {
      throw new ConnectionError('DynamoDB could not be reached.', { cause: error });
    }
  };

  const send = async (operation: Operation, input: object, signal: AbortSignal): Promise<never> => {
    const isCounted = onConsumed !== undefined && !isFree(operation);
    const body = JSON.stringify(isCounted ? { ...input, ReturnConsumedCapacity: 'TOTAL' } : input);
    const { status, headers, text } = await post(body, await sign(operation, body), signal);
    if (status !== 200) throw toError(operation, status, headers['x-amzn-requestid'], text);
    const answer = parseJson(text);
    // A proxy has answered, or the end is missing. The text is in no error: it may have items.
    if (!isObject(answer)) throw new ConnectionError('The answer is not one of DynamoDB.');
    if (isCounted) onConsumed({ operation, units: unitsIn(answer) });
    return answer as never;
  };

  return {
    async call(operation, input, deadline) {
      const aborting = new AbortController();
      const sending = send(operation, input, aborting.signal);
      underWay.add(sending);
      try {
        return await within(deadline, sending);
      } catch (error) {
        // Frees the connection, which may be one that swallows packets.
        if (error instanceof TimeoutError) aborting.abort();
        throw explain(error);
      } finally {
        underWay.delete(sending);
      }
    },
    async close() {
      await Promise.allSettled(underWay);
      if (!agent.closed) await agent.close();
    },
  };
};
