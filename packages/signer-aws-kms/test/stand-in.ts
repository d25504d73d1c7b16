import { generateKeyPairSync, sign } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { listen } from '@carnet/test-servers/listen';
import { region } from './kms.ts';

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const json = (status: number, value: object): Answer => ({ status, body: JSON.stringify(value) });

/** An error as KMS writes it. */
export const failure = (status: number, type: string): Answer =>
  json(status, { __type: type, message: `What the service says of ${type}.` });

/** The ARN of the only key. */
const ed25519Arn = `arn:aws:kms:${region}:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab`;

const { privateKey, publicKey } = generateKeyPairSync('ed25519');

const operations: Readonly<Record<string, (input: Readonly<Record<string, string>>) => Answer>> = {
  DescribeKey: () =>
    json(200, {
      KeyMetadata: {
        KeyId: ed25519Arn.split('/')[1],
        Arn: ed25519Arn,
        CreationDate: 1_790_000_000,
        KeyState: 'Enabled',
        KeyUsage: 'SIGN_VERIFY',
        KeySpec: 'ECC_NIST_EDWARDS25519',
      },
    }),
  GetPublicKey: () => {
    const der = publicKey.export({ format: 'der', type: 'spki' });
    return json(200, { KeyId: ed25519Arn, PublicKey: der.toString('base64') });
  },
  Sign: ({ Message = '', MessageType, SigningAlgorithm }) => {
    const message = Buffer.from(Message, 'base64');
    if (message.length > 4_096 || MessageType !== 'RAW' || SigningAlgorithm !== 'ED25519_SHA_512') {
      return failure(400, 'ValidationException');
    }
    return json(200, { KeyId: ed25519Arn, Signature: sign(null, message, privateKey).toString('base64') });
  },
};

/** A KMS with one Ed25519 key, which moto has not, and with answers that moto never gives. */
export const startStandIn = async () => {
  let failing: { readonly answer: Answer; readonly operation: string | undefined } | undefined;
  const calls: string[] = [];
  let amzDate = '';
  const { origin: endpoint, close } = await listen(async (request, response) => {
    const operation = `${request.headers['x-amz-target']}`.replace('TrentService.', '');
    calls.push(operation);
    amzDate = `${request.headers['x-amz-date']}`;
    const input = JSON.parse(await text(request));
    const isFailing = failing !== undefined && (failing.operation ?? operation) === operation;
    const answer = isFailing ? failing?.answer : operations[operation]?.(input);
    if (isFailing) failing = undefined;
    const { status, body, headers } = answer ?? failure(400, 'UnknownOperation');
    const usual = { 'content-type': 'application/x-amz-json-1.1', 'x-amzn-requestid': 'request-1' };
    response.writeHead(status, { ...usual, ...headers });
    response.end(body);
  });
  return {
    endpoint,
    url: `awskms:${ed25519Arn}?endpoint=${endpoint}`,
    /** The operations that it was asked for. */
    calls,
    /** The time of the last call, by the clock that signed it. */
    signedAt: () => amzDate.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'),
    /** Answers the next call, or the next one of an operation, with this. */
    failOnce(answer: Answer, operation?: string) {
      failing = { answer, operation };
    },
    close,
  };
};
