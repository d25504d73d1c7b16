import type { Keycloak } from '../../../../test/servers/src/keycloak/keycloak.ts';

export const clientSecret = 'the-secret-of-carnet-at-keycloak';

/** The users of the realm. `dana` has the address of the demo user of Carnet. */
export const users = {
  ada: { username: 'ada', email: 'ada@corp.example', firstName: 'Ada', lastName: 'Lovelace' },
  dana: { username: 'dana', email: 'demo@example.com', firstName: 'Dana', lastName: 'Demo' },
} as const;

export const password = 'the-password-at-keycloak';

const mapper = (name: string, property: string) => ({
  name,
  protocol: 'saml',
  protocolMapper: 'saml-user-property-mapper',
  config: { 'user.attribute': property, 'attribute.name': name, 'attribute.nameformat': 'Basic' },
});

/** A realm of a company, with a client of OpenID Connect. @returns its URL */
export const createRealm = async (
  { url, post }: Pick<Keycloak, 'url' | 'post'>,
  name: string,
  redirectUri: string,
): Promise<string> => {
  await post('/realms', {
    realm: name,
    enabled: true,
    clients: [
      {
        ...{ clientId: 'carnet', secret: clientSecret, redirectUris: [redirectUri] },
        attributes: { 'post.logout.redirect.uris': `${redirectUri}/signed-out` },
      },
    ],
    users: Object.values(users).map((user) => ({
      ...{ ...user, emailVerified: true, enabled: true },
      credentials: [{ type: 'password', value: password, temporary: false }],
    })),
  });
  return `${url}/realms/${name}`;
};

/** Registers Carnet by its metadata, as an administrator uploads them. */
export const registerByMetadata = async (
  { post }: Pick<Keycloak, 'post'>,
  realm: string,
  metadataUrl: string,
): Promise<void> => {
  const metadata = await (await fetch(metadataUrl)).text();
  const client = (await post(`/realms/${realm}/client-description-converter`, metadata)) as {
    readonly attributes: Readonly<Record<string, string>>;
  };
  const encryption = {
    'saml.encryption.algorithm': 'http://www.w3.org/2009/xmlenc11#aes256-gcm',
    'saml.encryption.keyAlgorithm': 'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p',
    'saml.encryption.digestMethod': 'http://www.w3.org/2000/09/xmldsig#sha1',
  };
  await post(`/realms/${realm}/clients`, {
    ...client,
    attributes: { ...client.attributes, 'saml.assertion.signature': 'true', ...encryption },
    protocolMappers: [mapper('email', 'email'), mapper('givenName', 'firstName'), mapper('sn', 'lastName')],
  });
};
