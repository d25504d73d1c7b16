import type { ProviderOptions } from '../options.ts';
import type { IssuerStore } from '../store/index.ts';

type DistributivePick<Type, Key extends PropertyKey> = Type extends unknown ? Pick<Type, Key & keyof Type> : never;

type Named = DistributivePick<ProviderOptions, 'kind' | 'preset' | 'issuer' | 'metadataUrl'>;

/**
 * The issuer to which the identities of a provider belong. A preset other than GitLab has one space of subjects, whatever its
 * issuer is: that of Entra depends on the configured tenants, and its subjects begin with the tenant. The entity ID of a SAML
 * provider may only be in its metadata, which are not read at the start: their URL is used instead.
 */
export const issuerOf = (provider: Named): string => {
  if (provider.kind === 'saml') return `saml ${provider.issuer ?? provider.metadataUrl}`;
  const { preset, issuer } = provider;
  if (preset === undefined || preset === 'gitlab') return issuer ?? 'https://gitlab.com';
  return `preset ${preset}`;
};

/**
 * Binds each provider to its issuer, and returns the problems of those that are bound to another one.
 *
 * Safe against the sign-in of another user with the same subject because an identity is stored by the name of its provider: a
 * name that gets another issuer is refused at the start, unless the configuration says that both have the same users.
 */
export const bindIssuers = async (
  providers: readonly (Named & Pick<ProviderOptions, 'name' | 'formerIssuer'>)[],
  store: IssuerStore,
): Promise<readonly string[]> => {
  const problems: string[] = [];
  for (const { name, formerIssuer, ...provider } of providers) {
    const bound = await store.bind({ provider: name, issuer: issuerOf(provider) }, formerIssuer);
    if (bound !== issuerOf(provider))
      problems.push(
        `provider ${name}: its identities belong to ${bound}. Give the new provider another name, or set formerIssuer to ${bound} if the same subjects are the same users.`,
      );
  }
  return problems;
};
