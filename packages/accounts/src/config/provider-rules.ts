import type { AccountsConfig } from '../options.ts';
import { type AccountsRule, hasSql, isBrokerOnly, isLoopbackUrl, rule } from './rule.ts';

type Providers = AccountsConfig['providers'];
type Provider = Providers[number];
type OfKind<Kind> = Extract<Provider, { kind: Kind }>;
type Oidc = OfKind<'oidc'>;
type Saml = OfKind<'saml'>;

/** The problem of the first provider that has one. */
const eachProvider = (
  problemOf: (provider: Provider, earlier: Providers, accounts: AccountsConfig) => string | false,
): AccountsRule =>
  rule('providers', (accounts) => {
    for (const [index, provider] of accounts.providers.entries()) {
      const problem = problemOf(provider, accounts.providers.slice(0, index), accounts);
      if (problem !== false) return `provider ${provider.name}: ${problem}`;
    }
    return false;
  });

/** Presets with one issuer, whose only credential is a secret. */
const withSecretOnly: ReadonlySet<string | undefined> = new Set<Oidc['preset']>([
  ...(['google', 'github', 'facebook', 'linkedin', 'discord'] as const),
]);

const ofOidc =
  (problemOf: (provider: Oidc) => string | false) =>
  (provider: Provider): string | false =>
    provider.kind === 'oidc' && problemOf(provider);

const ofSaml =
  (problemOf: (provider: Saml) => string | false) =>
  (provider: Provider): string | false =>
    provider.kind === 'saml' && problemOf(provider);

/** Apple takes no other credentials: its client secret is signed with the key. */
const appleProblem = ({ preset, clientSecret, privateKey, keyId, teamId }: Oidc): string | false => {
  if (preset !== 'apple') return teamId !== undefined && 'teamId is for the preset apple. Remove it.';
  if (clientSecret !== undefined) return 'signs its client secrets itself. Remove clientSecret, and set privateKey.';
  return (
    [privateKey, keyId, teamId].includes(undefined) &&
    'needs teamId, keyId and privateKey (ACCOUNTS_PROVIDER_<NAME>_PRIVATE_KEY_FILE): the key that Apple shows once.'
  );
};

const credentialProblem = (provider: Oidc): string | false => {
  const { preset, clientSecret, privateKey } = provider;
  if (preset === 'apple' || provider.teamId !== undefined) return appleProblem(provider);
  if (clientSecret === undefined && privateKey === undefined)
    return 'has no credentials. Set clientSecret (ACCOUNTS_PROVIDER_<NAME>_CLIENT_SECRET) or privateKey (ACCOUNTS_PROVIDER_<NAME>_PRIVATE_KEY_FILE).';
  if (clientSecret !== undefined && privateKey !== undefined)
    return 'has clientSecret and privateKey. Remove one of them.';
  return (
    privateKey !== undefined &&
    withSecretOnly.has(preset) &&
    'accepts no private key. Set clientSecret instead of privateKey.'
  );
};

const issuerProblem = ({ preset, issuer }: Oidc): string | false => {
  if (preset === undefined && issuer === undefined) return 'has no issuer. Set issuer, or a preset.';
  if (issuer === undefined) return false;
  if (withSecretOnly.has(preset) || preset === 'apple') return 'has the issuer of its preset. Remove issuer.';
  if (preset === 'microsoft' && !issuer.startsWith('https://login.microsoftonline.com/'))
    return 'its issuer must begin with https://login.microsoftonline.com/. Remove issuer, and set tenants.';
  return (
    !issuer.toLowerCase().startsWith('https:') &&
    !isLoopbackUrl(issuer) &&
    'its issuer must be https, because tokens and secrets are sent there.'
  );
};

const tenantProblem = ({ preset, tenants }: Oidc): string | false => {
  if (preset === 'microsoft')
    return tenants.length === 0 && 'has no tenants. List the ids of the tenants whose users may sign in, or "*".';
  return tenants.length > 0 && preset !== 'google' && 'tenants are for the presets microsoft and google. Remove them.';
};

/** Certificates of the provider decide who it is: a URL of the metadata must be authentic. */
const metadataProblem = ({ metadataUrl, metadataFile, ssoUrl, issuer, certificates }: Saml): string | false => {
  if ([metadataUrl, metadataFile, ssoUrl].filter((each) => each !== undefined).length !== 1)
    return 'needs the metadata of the provider. Set one of metadataUrl, metadataFile and ssoUrl.';
  if (metadataFile !== undefined && issuer === undefined)
    return 'metadataFile needs the entity ID of the provider (issuer), to which the stored identities belong.';
  if (ssoUrl === undefined) {
    if (certificates.length > 0) return 'has certificates and metadata. Remove certificates.';
    const isAuthentic = metadataUrl === undefined || /^https:/i.test(metadataUrl) || isLoopbackUrl(metadataUrl);
    return !isAuthentic && 'its metadataUrl must be https, because it decides which signatures are accepted.';
  }
  return (
    (issuer === undefined || certificates.length === 0) &&
    'ssoUrl needs the entity ID of the provider (issuer) and its certificates.'
  );
};

const pairProblem = (provider: Saml): string | false => {
  const pairs = [
    ['privateKey', 'certificate'],
    ['decryptionKey', 'decryptionCertificate'],
  ] as const;
  const half = pairs.find(
    ([key, certificate]) => (provider[key] === undefined) !== (provider[certificate] === undefined),
  );
  return half !== undefined && `${half[0]} and ${half[1]} belong together. Set both.`;
};

const subjectProblem = ({ nameIdFormat, subjectAttribute }: Saml): string | false =>
  nameIdFormat === 'unspecified' &&
  subjectAttribute === undefined &&
  'nameIdFormat: unspecified identifies no user. Set subjectAttribute.';

/** Claims of the protocol, and of the login names. */
const reserved: ReadonlySet<string> = new Set([
  ...['sub', 'iss', 'aud', 'exp', 'iat', 'nbf', 'jti', 'azp', 'nonce', 'acr', 'amr', 'auth_time', 'sid', '__proto__'],
  'preferred_username',
]);

const claimProblem = ({ claims }: Provider): string | false => {
  const name = Object.keys(claims).find((each) => reserved.has(each));
  return name !== undefined && `claims.${name} belongs to the protocol or to the login names. Remove it.`;
};

/** The first item of a list that an earlier provider has too. */
const repeated = (member: 'domains' | 'clients', remedy: string) =>
  eachProvider((provider, earlier) => {
    const found = provider[member].find((item) => earlier.some((other) => other[member].includes(item)));
    return found !== undefined && `${found} is in the ${member} of another provider. ${remedy}`;
  });

/** The rules of `accounts.providers`. */
export const providerRules: readonly AccountsRule[] = [
  eachProvider(
    ({ name }, earlier) =>
      earlier.some((other) => other.name === name) && 'another provider has this name. Give each its own.',
  ),
  eachProvider(ofOidc(issuerProblem)),
  eachProvider(ofOidc(credentialProblem)),
  eachProvider(ofOidc(tenantProblem)),
  eachProvider(ofSaml(metadataProblem)),
  eachProvider(ofSaml(pairProblem)),
  eachProvider(ofSaml(subjectProblem)),
  eachProvider(claimProblem),
  eachProvider(
    ({ signUp }, _earlier, accounts) =>
      signUp !== 'off' &&
      !isBrokerOnly(accounts) &&
      !hasSql(accounts) &&
      'creates users, which needs a directory of the kind sql. Add one to accounts.directories, or set signUp: off.',
  ),
  repeated('domains', 'A login name can belong to one provider only.'),
  repeated('clients', 'A client can be fixed to one provider only.'),
];
