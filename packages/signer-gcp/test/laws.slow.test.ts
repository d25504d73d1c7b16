import {
  keyWrapperLaws,
  reasonToSkip,
  type SignerSubject,
  signerLaws,
  type WrapperSubject,
} from '@carnet/signer-contract/laws';
import {
  type CloudKms,
  type IamCredentials,
  type StandIn,
  startCloudKms,
  startIamCredentials,
} from '@carnet/test-servers';
import { afterAll, beforeAll, describe, test, vi } from 'vitest';
import { openKeyWrapper, openSigner } from '../src/index.ts';

const ring = 'projects/p/locations/europe-west3/keyRings/r/cryptoKeys';
const kmsAlgorithms = {
  ES256: 'EC_SIGN_P256_SHA256',
  RS256: 'RSA_SIGN_PKCS1_2048_SHA256',
  EdDSA: 'EC_SIGN_ED25519',
} as const;

let kms: CloudKms;
let iam: IamCredentials;
let count = 0;

beforeAll(async () => {
  [kms, iam] = await Promise.all([
    startCloudKms({ isTokenDemanded: true, pageSize: 2 }),
    startIamCredentials({ isTokenDemanded: true }),
  ]);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await Promise.all([kms.close(), iam.close()]);
});

const faults = (standIn: StandIn, tokens: CloudKms['tokens']) => ({
  credentials: ['a subject token'],
  async interrupt() {
    standIn.setOutage('refuse');
    return async () => standIn.setOutage(undefined);
  },
  async stall() {
    standIn.setOutage('hang');
    return async () => standIn.setOutage(undefined);
  },
  async endSessions() {
    tokens.revokeAll();
  },
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
    async rotate({ alg }) {
      kms.addVersion(cryptoKey, kmsAlgorithms[alg]);
    },
    async disable({ handle }) {
      kms.setState(handle, 'DISABLED');
    },
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
    async rotate() {
      iam.rotate(email);
    },
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
    async rotate() {
      kms.addVersion(cryptoKey, 'GOOGLE_SYMMETRIC_ENCRYPTION');
    },
  };
};

describe.each([
  ['Cloud KMS', kmsSubject, []],
  // A caller neither selects nor disables a key that Google holds for a service account.
  ['IAM Credentials', iamSubject, ['older-versions-sign', 'disabled-keys-are-not-listed', 'unknown-keys-are-unfit']],
] as const)('the signer of %s', (_title, open, skipped: readonly string[]) => {
  test.for(signerLaws)('keeps $name', async (law, { expect }) => {
    const subject = await open();
    try {
      expect(reasonToSkip(law, subject) !== undefined).toBe(skipped.includes(law.name));
      if (!skipped.includes(law.name)) await law.check(subject);
    } finally {
      await subject.signer.close();
    }
  });
});

describe('the key wrapper of Cloud KMS', () => {
  test.for(keyWrapperLaws)('keeps $name', async (law, { expect }) => {
    const subject = await wrapperSubject();
    try {
      expect(reasonToSkip(law, subject)).toBeUndefined();
      await law.check(subject);
    } finally {
      await subject.wrapper.close();
    }
  });
});
