import { createHmac, hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import type { RemoteKey } from '@carnet/signer-contract';
import { beforeTests, closing } from '@carnet/test-servers/before-tests';
import { listen } from '@carnet/test-servers/listen';
import { afterEach, expect, it } from 'vitest';
import { openSigner } from '../src/index.ts';
import { credentials, patient, region, useCredentials } from './kms.ts';

useCredentials();
afterEach(() => {
  delete process.env.AWS_ENDPOINT_URL_KMS;
});

const arn = `arn:aws:kms:${region}:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab`;
const key: RemoteKey = { handle: arn, alg: 'EdDSA', publicKey: {} };

interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A service that answers each call with the signature "signed", and keeps the requests. */
const service = beforeTests(async () => {
  const received: Received[] = [];
  const { origin, close } = await listen(async (request, response) => {
    received.push({ path: request.url ?? '', headers: request.headers, body: await text(request) });
    response.end(JSON.stringify({ Signature: Buffer.from('signed').toString('base64') }));
  });
  return { origin, close, last: () => received.at(-1) as Received };
});

const hmac = (secret: string | Buffer, data: string): Buffer => createHmac('sha256', secret).update(data).digest();

/** The header `Authorization` of "Authenticating Requests (AWS Signature Version 4)", by the secret of the tests. */
const authorizationOf = ({ path, headers, body }: Received): string => {
  const [id, secret] = credentials;
  const date = `${headers['x-amz-date']}`;
  const signed = /SignedHeaders=([^,]+)/.exec(`${headers.authorization}`)?.[1] ?? '';
  const canonical = signed.split(';').map((name) => `${name}:${headers[name]}\n`);
  const request = ['POST', path, '', canonical.join(''), signed, hash('sha256', body)].join('\n');
  const scope = [date.slice(0, 8), region, 'kms', 'aws4_request'];
  const toSign = ['AWS4-HMAC-SHA256', date, scope.join('/'), hash('sha256', request)].join('\n');
  const signature = hmac(scope.reduce<string | Buffer>(hmac, `AWS4${secret}`) as Buffer, toSign).toString('hex');
  return `AWS4-HMAC-SHA256 Credential=${id}/${scope.join('/')}, SignedHeaders=${signed}, Signature=${signature}`;
};

it('signs each request by AWS Signature Version 4, with the session token', async () => {
  const signer = await closing(openSigner({ url: `awskms:${arn}?endpoint=${service.origin}` }));
  for (const data of ['header.payload', 'another.one']) {
    const { signature } = await signer.sign(key, Buffer.from(data), patient());
    expect(Buffer.from(signature).toString()).toBe('signed');
    const { headers, body } = service.last();
    expect(headers.authorization).toBe(authorizationOf(service.last()));
    expect(headers.authorization).toMatch(/SignedHeaders=content-type;host;.*x-amz-security-token;x-amz-target/);
    expect(headers).toMatchObject({ 'x-amz-target': 'TrentService.Sign', 'x-amz-security-token': credentials[2] });
    expect(JSON.parse(body)).toEqual({
      KeyId: arn,
      SigningAlgorithm: 'ED25519_SHA_512',
      MessageType: 'RAW',
      Message: Buffer.from(data).toString('base64'),
    });
  }
});

it('asks the endpoint that the SDK finds, before the keys were listed', async () => {
  process.env.AWS_ENDPOINT_URL_KMS = `${service.origin}/kms`;
  const signer = await closing(openSigner({ url: `awskms:${arn}` }));
  await signer.sign(key, Buffer.from('data'), patient());
  expect(service.last().path).toMatch(/^\/kms/);
  expect(service.last().headers.authorization).toBe(authorizationOf(service.last()));
});
