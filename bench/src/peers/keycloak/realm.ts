import { redirectUri } from '../../users/register-client.ts';
import { peerUsers } from '../users.ts';

export const clientId = 'bench';

export interface Realm {
  readonly name: string;
  readonly hashing: string;
  /** Keycloak's `passwordPolicy`. Default: none, so that passwords are hashed as delivered. */
  readonly passwordPolicy?: string;
}

export const realms: readonly Realm[] = [
  { name: 'delivered', hashing: 'argon2id, m=7168,t=5,p=1' },
  {
    name: 'one-iteration',
    hashing: 'PBKDF2, one iteration',
    passwordPolicy: 'hashAlgorithm(pbkdf2-sha256) and hashIterations(1)',
  },
];

const keyProvider = (providerId: string, config: Readonly<Record<string, readonly string[]>>) => ({
  name: providerId,
  providerId,
  config: { priority: ['100'], ...config },
});

/** The representation of a realm for Keycloak's admin API: ES256, one public client with PKCE, and the users. */
export const representationOf = ({ name, passwordPolicy }: Realm): object => ({
  realm: name,
  enabled: true,
  sslRequired: 'none',
  defaultSignatureAlgorithm: 'ES256',
  ...(passwordPolicy === undefined ? {} : { passwordPolicy }),
  components: {
    'org.keycloak.keys.KeyProvider': [
      keyProvider('ecdsa-generated', { ecdsaEllipticCurveKey: ['P-256'] }),
      keyProvider('rsa-generated', {}),
      keyProvider('hmac-generated', { algorithm: ['HS512'] }),
      keyProvider('aes-generated', {}),
    ],
  },
  clients: [
    {
      clientId,
      publicClient: true,
      standardFlowEnabled: true,
      consentRequired: true,
      redirectUris: [redirectUri],
      attributes: { 'pkce.code.challenge.method': 'S256' },
    },
  ],
  users: peerUsers.map((user) => ({
    username: user.name,
    email: user.email,
    emailVerified: true,
    firstName: 'A',
    lastName: 'User',
    enabled: true,
    credentials: [{ type: 'password', value: user.password, temporary: false }],
  })),
});
