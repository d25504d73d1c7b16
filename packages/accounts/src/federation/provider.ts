import type { ShownProvider } from '../api/providers.ts';
import { normaliseLogin } from '../directory/index.ts';
import type { ProviderOptions } from '../options.ts';
import type { UpstreamProvider } from './port.ts';

/** A configured provider. */
export interface ConfiguredProvider {
  readonly options: ProviderOptions;
  readonly upstream: UpstreamProvider;
}

const presetLabels = {
  ...{ google: 'Google', microsoft: 'Microsoft', github: 'GitHub', gitlab: 'GitLab' },
  ...{ apple: 'Apple', facebook: 'Facebook', linkedin: 'LinkedIn', discord: 'Discord' },
} as const;

export const shownProvider = (options: ProviderOptions): ShownProvider => {
  const { name, label, kind } = options;
  const preset = kind === 'oidc' ? options.preset : undefined;
  if (preset === undefined) return { name, label: label ?? name };
  return { name, label: label ?? presetLabels[preset], preset };
};

/** The label of a provider; the name of one that is not configured any more. */
export const labelIn =
  (providers: readonly ProviderOptions[]) =>
  (name: string): string => {
    const found = providers.find((provider) => provider.name === name);
    return found === undefined ? name : shownProvider(found).label;
  };

/** The domain of an email address, in lower case. */
export const domainOf = (address: string): string | undefined => {
  const at = address.lastIndexOf('@');
  return at === -1 ? undefined : address.slice(at + 1).toLowerCase();
};

/**
 * Whether the provider can prove an address: any one can, unless others give out the addresses of its domain (`isAuthorityFor`).
 *
 * Safe against a provider that creates a user with the address of a victim: the authority would sign in the victim as this user.
 */
export const provesAddress = (
  providers: readonly Pick<ProviderOptions, 'isAuthorityFor'>[],
  { isAuthorityFor }: Pick<ProviderOptions, 'isAuthorityFor'>,
  address: string,
): boolean => {
  const domain = domainOf(normaliseLogin(address) ?? '') ?? '';
  return isAuthorityFor.includes(domain) || !providers.some((each) => each.isAuthorityFor.includes(domain));
};
