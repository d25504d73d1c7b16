import { DisableKeyCommand, RotateKeyOnDemandCommand } from '@aws-sdk/client-kms';
import type { SignerSubject, WrapperSubject } from '@carnet/signer-contract/laws';
import { startMoto, startProxy } from '@carnet/test-servers';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { describe } from 'vitest';
import { testKeyWrapperLaws, testSignerLaws } from '../../signer-contract/test/laws.ts';
import { openKeyWrapper, openSigner } from '../src/index.ts';
import { credentials, idOf, openAdministrator, region, useCredentials } from './kms.ts';

useCredentials();

const moto = beforeTests(() => startMoto());
const proxy = beforeTests(() => startProxy({ port: moto.port }));
const administrator = beforeTests(async () => openAdministrator(moto.url));

const during = (mode: 'refuse' | 'silent') => async () => {
  await proxy.set(mode);
  return () => proxy.set('pass');
};
const faults = {
  credentials,
  interrupt: during('refuse'),
  stall: during('silent'),
  /** There are none, but connections that are kept. */
  async endSessions() {
    await proxy.set('refuse');
    await proxy.set('pass');
  },
};
const urlOf = (keys: readonly string[]) =>
  `awskms:${keys.join(',')}?region=${region}&endpoint=http://127.0.0.1:${proxy.port}`;

let subjects = 0;

const openSubject = async (): Promise<SignerSubject> => {
  const subject = subjects++;
  /** More than a law rotates. Each alias names the first key of its algorithm until a rotation moves it. */
  const aliases = (alg: string) => Array.from({ length: 4 }, (_, index) => `alias/${alg}-${subject}-${index}`);
  const specs = { ES256: 'ECC_NIST_P256', RS256: 'RSA_2048' } as const;
  const free: Record<string, string[]> = {};
  for (const [alg, spec] of Object.entries(specs)) {
    const arn = await administrator.createKey(spec);
    for (const alias of aliases(alg)) await administrator.createAlias(alias, arn);
    free[alg] = aliases(alg).slice(1);
  }
  const open = () => openSigner({ url: urlOf(Object.keys(specs).flatMap(aliases)) });
  return {
    ...faults,
    signer: await open(),
    open,
    async rotate({ alg }) {
      const alias = free[alg]?.shift();
      if (alias === undefined || alg === 'EdDSA') throw new Error(`There is no alias left for ${alg}.`);
      await administrator.moveAlias(alias, await administrator.createKey(specs[alg]));
    },
    async disable({ handle }) {
      await administrator.client.send(new DisableKeyCommand({ KeyId: idOf(handle) }));
    },
  };
};

const openWrapperSubject = async (): Promise<WrapperSubject> => {
  const arn = await administrator.createKey('SYMMETRIC_DEFAULT', 'ENCRYPT_DECRYPT');
  const open = () => openKeyWrapper({ url: urlOf([arn]) });
  return {
    ...faults,
    wrapper: await open(),
    open,
    async rotate() {
      await administrator.client.send(new RotateKeyOnDemandCommand({ KeyId: arn }));
    },
  };
};

describe('the signer of AWS KMS', () => testSignerLaws(openSubject));

describe('the key wrapper of AWS KMS', () => testKeyWrapperLaws(openWrapperSubject));
