// A stand-in of a key management service, for the remote-signer study. The first message holds the options.
import { once } from 'node:events';
import { startCloudKms, startIamCredentials, startVault } from '@carnet/test-servers';
import type { RunningService, SigningServiceOptions } from './signing-service.ts';

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
};

process.once('disconnect', () => process.exit());
const [{ service, latencyMs }] = (await once(process, 'message')) as [SigningServiceOptions];
process.send?.(await starts[service](latencyMs));
