import { type RemoteKey, SignerUnavailableError, SignerUnfitError } from '@carnet/signer-contract';
import { startIamCredentials } from '@carnet/test-servers';
import { beforeTests, closing } from '@carnet/test-servers/before-tests';
import { expect, it } from 'vitest';
import { calm } from '../../signer-contract/test/laws.ts';
import { openSigner } from '../src/index.ts';

const data = Buffer.from('header.payload');

const iam = beforeTests(() => startIamCredentials());
let count = 0;

const open = async () => {
  const email = `carnet-${count++}@p.iam.gserviceaccount.com`;
  iam.addAccount(email);
  const signer = await closing(openSigner({ url: `gcpiam:${email}?endpoint=${iam.url}` }));
  return { email, signer, keys: await signer.keys(calm()) };
};

it('a key that Google selects between two signatures is named by the answer, and is listed as the newest', async () => {
  const { email, signer, keys } = await open();
  const [key] = keys as [RemoteKey];
  expect((await signer.sign(key, data, calm())).kid).toBe(key.kid);
  const next = iam.rotate(email);
  expect((await signer.sign(key, data, calm())).kid).toBe(next);
  expect((await signer.keys(calm())).map(({ kid }) => kid)).toEqual([key.kid, next]);
});

it('a signature of a key that Google does not publish is not used, until it is published', async () => {
  const { email, signer, keys } = await open();
  const next = iam.rotate(email, { isPublished: false });
  const signed = () => signer.sign((keys as [RemoteKey])[0], data, calm());
  await expect(signed()).rejects.toBeInstanceOf(SignerUnavailableError);
  iam.publish(email);
  expect((await signed()).kid).toBe(next);
});

it('a service account that does not exist is unfit', async () => {
  const signer = await closing(openSigner({ url: `gcpiam:other@p.iam.gserviceaccount.com?endpoint=${iam.url}` }));
  await expect(signer.keys(calm())).rejects.toBeInstanceOf(SignerUnfitError);
});
