// A key management service or its stand-in, for studies. The first message holds the options.
import { once } from 'node:events';
import { startCloudKms, startIamCredentials, startMoto, startSoftHsm, startVault } from '@carnet/test-servers';
import type { RunningService, SigningServiceOptions } from './signing-service.ts';

const region = 'eu-west-1';
/** Moto accepts credentials of any value. It reads the region of a request from them. */
const awsEnv = { AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE', AWS_SECRET_ACCESS_KEY: 'hunter2-hunter2' };

const createKeyOfMoto = async (url: string): Promise<string> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': 'TrentService.CreateKey',
      authorization: `AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE/20260101/${region}/kms/aws4_request, SignedHeaders=host, Signature=0`,
    },
    body: JSON.stringify({ KeySpec: 'ECC_NIST_P256', KeyUsage: 'SIGN_VERIFY' }),
  });
  const { KeyMetadata } = (await response.json()) as { KeyMetadata: { KeyId: string } };
  return KeyMetadata.KeyId;
};

type Start = (latencyMs: number) => Promise<RunningService>;

const starts: Readonly<Record<SigningServiceOptions['service'], Start>> = {
  async gcpkms(latencyMs) {
    const kms = await startCloudKms({ latencyMs });
    const cryptoKey = 'projects/bench/locations/global/keyRings/carnet/cryptoKeys/tokens';
    kms.addVersion(cryptoKey, 'EC_SIGN_P256_SHA256');
    return { signer: `gcpkms:${cryptoKey}?endpoint=${kms.url}`, alg: 'ES256' };
  },
  async gcpiam(latencyMs) {
    const iam = await startIamCredentials({ latencyMs });
    const email = 'carnet@bench.iam.gserviceaccount.com';
    iam.addAccount(email);
    return { signer: `gcpiam:${email}?endpoint=${iam.url}`, alg: 'RS256' };
  },
  async vault(latencyMs) {
    const vault = await startVault({ latencyMs });
    vault.addKey('carnet', 'ecdsa-p256');
    return { signer: `vault:transit/carnet?address=${vault.url}`, alg: 'ES256', env: { VAULT_TOKEN: vault.token() } };
  },
  async pkcs11() {
    const hsm = await startSoftHsm();
    await hsm.generate({ type: 'EC:prime256v1', label: 'tokens', id: '01' });
    return { signer: hsm.url('tokens'), alg: 'ES256' };
  },
  async awskms() {
    const { url } = await startMoto();
    const key = await createKeyOfMoto(url);
    return { signer: `awskms:${key}?region=${region}&endpoint=${url}`, alg: 'ES256', env: awsEnv };
  },
};

process.once('disconnect', () => process.exit());
const [{ service, latencyMs }] = (await once(process, 'message')) as [SigningServiceOptions];
process.send?.(await starts[service](latencyMs));
