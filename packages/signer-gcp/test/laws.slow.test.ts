import type { SignerSubject, WrapperSubject } from '@carnet/signer-contract/laws';
import { type CloudKms, type StandIn, startCloudKms, startIamCredentials } from '@carnet/test-servers';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { afterAll, describe, vi } from 'vitest';
import { testKeyWrapperLaws, testSignerLaws } from '../../signer-contract/test/laws.ts';
import { openKeyWrapper, openSigner } from '../src/index.ts';

const ring = 'projects/p/locations/europe-west3/keyRings/r/cryptoKeys';
const kmsAlgorithms = {
  ES256: 'EC_SIGN_P256_SHA256',
  RS256: 'RSA_SIGN_PKCS1_2048_SHA256',
  EdDSA: 'EC_SIGN_ED25519',
} as const;

const kms = beforeTests(() => startCloudKms({ isTokenDemanded: true, pageSize: 2 }));
const iam = beforeTests(() => startIamCredentials({ isTokenDemanded: true }));
let count = 0;
afterAll(() => void vi.unstubAllEnvs());

const faults = (standIn: StandIn, tokens: CloudKms['tokens']) => ({
  credentials: ['a subject token'],
  interrupt: async () => standIn.setOutage('refuse'),
  stall: async () => standIn.setOutage('hang'),
  endSessions: async () => tokens.revokeAll(),
});

const kmsSubject = async (): Promise<SignerSubject> => {
  vi.stubEnv('GOOGLE_APPLICATION_CREDENTIALS', kms.tokens.credentials);
  const cryptoKey = `${ring}/key-${count++}`;
  for (const algorithm of Object.values(kmsAlgorithms)) kms.addVersion(cryptoKey, algorithm);
  const open = () => openSigner({ url: `gcpkms:${cryptoKey}?endpoint=${kms.url}` });
  return {
    ...faults(kms, kms.tokens),
    signer: await open(),
    open,
    rotate: async ({ alg }) => void kms.addVersion(cryptoKey, kmsAlgorithms[alg]),
    disable: async ({ handle }) => kms.setState(handle, 'DISABLED'),
  };
};

const iamSubject = async (): Promise<SignerSubject> => {
  vi.stubEnv('GOOGLE_APPLICATION_CREDENTIALS', iam.tokens.credentials);
  const email = `carnet-${count++}@p.iam.gserviceaccount.com`;
  iam.addAccount(email);
  const open = () => openSigner({ url: `gcpiam:${email}?endpoint=${iam.url}` });
  return {
    ...faults(iam, iam.tokens),
    serviceChoosesKey: true,
    signer: await open(),
    open,
    rotate: async () => void iam.rotate(email),
  };
};

const wrapperSubject = async (): Promise<WrapperSubject> => {
  vi.stubEnv('GOOGLE_APPLICATION_CREDENTIALS', kms.tokens.credentials);
  const cryptoKey = `${ring}/wrapping-${count++}`;
  kms.addVersion(cryptoKey, 'GOOGLE_SYMMETRIC_ENCRYPTION');
  const open = () => openKeyWrapper({ url: `gcpkms:${cryptoKey}?endpoint=${kms.url}` });
  return {
    ...faults(kms, kms.tokens),
    wrapper: await open(),
    open,
    rotate: async () => void kms.addVersion(cryptoKey, 'GOOGLE_SYMMETRIC_ENCRYPTION'),
  };
};

describe('the signer of Cloud KMS', () => testSignerLaws(kmsSubject));

// A caller neither selects nor disables a key that Google holds for a service account.
describe('the signer of IAM Credentials', () =>
  testSignerLaws(iamSubject, ['older-versions-sign', 'disabled-keys-are-not-listed', 'unknown-keys-are-unfit']));

describe('the key wrapper of Cloud KMS', () => testKeyWrapperLaws(wrapperSubject));
