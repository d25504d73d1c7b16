/** Which package serves a scheme. */
export const signerPackages: Readonly<Record<string, string>> = {
  pkcs11: '@carnet/signer-pkcs11',
  awskms: '@carnet/signer-aws-kms',
  gcpkms: '@carnet/signer-gcp',
  gcpiam: '@carnet/signer-gcp',
  vault: '@carnet/signer-vault',
};

/** The schemes of a signer's URL. */
export const signerSchemes: readonly string[] = Object.keys(signerPackages);
