import { hash } from 'node:crypto';
import { type KMSClient, KMSServiceException, SignCommand, type SignCommandInput } from '@aws-sdk/client-kms';
import { type CallOptions, SignerUnavailableError } from '@carnet/signer-contract';
import { openRestClient, type RestAnswer } from '@carnet/signer-contract/rest';
import { getEndpointFromInstructions } from '@smithy/core/endpoints';

type Config = KMSClient['config'];

/** The input of `kms:Sign`, with the message in base64. */
export type SignInput = Required<Pick<SignCommandInput, 'KeyId' | 'SigningAlgorithm' | 'MessageType'>> & {
  readonly Message: string;
};

const headersOf = (url: URL, text: string) => ({
  host: url.host,
  'content-type': 'application/x-amz-json-1.1',
  'x-amz-target': 'TrentService.Sign',
  'x-amz-content-sha256': hash('sha256', text),
  // CloudTrail logs it with each signature. The request signature does not cover it.
  'user-agent': 'carnet-signer-aws-kms',
});

/** AWS may refuse the signature of a request if the clocks differ by this much. The SDK has the same value. */
const skewMs = 240_000;

/** Corrects the clock of the next requests by that of the service. Returns whether the failed request may be repeated for this reason. */
const correctClock = (config: Config, offset: number, date: unknown): boolean => {
  const serverTime = Date.parse(String(date));
  if (Number.isNaN(serverTime)) return false;
  config.systemClockOffset = serverTime - Date.now();
  return Math.abs(config.systemClockOffset) >= skewMs && config.systemClockOffset !== offset;
};

/** `com.amazonaws.kms#NotFoundException:http://...` is `NotFoundException`. */
const nameOf = (type: unknown): string => /^(?:[^#:]*#)?([\w.]+)/.exec(String(type ?? ''))?.[1] ?? 'an unknown error';

/** The message of the service is left out, because it can contain the signed headers. */
const exceptionOf = ({ status, headers, body }: RestAnswer, clockSkewCorrected: boolean): KMSServiceException => {
  const requestId = headers['x-amzn-requestid']?.toString();
  // The SDK has the same members in its exceptions.
  const $metadata = { httpStatusCode: status, requestId, clockSkewCorrected };
  const type = headers['x-amzn-errortype'] ?? (body as { readonly __type?: unknown } | null | undefined)?.__type;
  return new KMSServiceException({
    name: nameOf(type),
    message: '',
    $fault: status >= 500 ? 'server' : 'client',
    $metadata,
  });
};

const openConnections = async ({ config }: KMSClient) => {
  const { url, properties } = await getEndpointFromInstructions({}, SignCommand, config);
  const signer = await config.signer(properties?.authSchemes?.[0]);
  const isClockCorrected = !(await config.disableClockSkewCorrection());
  return { url, signer, isClockCorrected, rest: openRestClient(url) };
};

/**
 * Calls `kms:Sign` with the region, endpoint and credentials that the SDK finds, and signs the request with the SDK's signer
 * (SigV4). A call by the SDK's own pipeline would take more than twice the CPU time.
 */
export const openSignCall = (client: () => KMSClient) => {
  let opening: ReturnType<typeof openConnections> | undefined;
  const open = () => {
    opening ??= openConnections(client()).catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };

  return {
    /** @throws the errors of the SDK: KMSServiceException for an answer that is a refusal or a failure */
    async sign(input: SignInput, { signal }: CallOptions): Promise<RestAnswer['body']> {
      const { config } = client();
      const { url, signer, isClockCorrected, rest } = await open();
      const text = JSON.stringify(input);
      const { systemClockOffset: offset } = config;
      const request = { method: 'POST', protocol: url.protocol, hostname: url.hostname, path: url.pathname };
      const signingDate = new Date(Date.now() + (isClockCorrected ? offset : 0));
      const { headers } = await signer.sign({ ...request, headers: headersOf(url, text), body: text }, { signingDate });
      const answer = await rest
        .send({ method: 'POST', path: url.pathname, headers, text, signal })
        .catch((error: unknown) => {
          throw error instanceof SignerUnavailableError ? error.cause : error;
        });
      if (answer.status === 200) return answer.body;
      throw exceptionOf(answer, isClockCorrected && correctClock(config, offset, answer.headers.date));
    },
    async close(): Promise<void> {
      await (await opening)?.rest.close();
    },
  };
};
