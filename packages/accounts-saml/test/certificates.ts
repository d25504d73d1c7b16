import { openAuthority } from '@carnet/test-servers';

const authority = openAuthority();

/** Pairs of an RSA key and its certificate: making one takes a tenth of a second. */
export const certificates = {
  provider: authority.selfSigned({ subject: '/CN=provider', key: 'rsa' }),
  renewed: authority.selfSigned({ subject: '/CN=provider, renewed', key: 'rsa' }),
  attacker: authority.selfSigned({ subject: '/CN=provider', key: 'rsa' }),
  carnet: authority.selfSigned({ subject: '/CN=carnet', key: 'rsa' }),
} as const;
authority.close();
