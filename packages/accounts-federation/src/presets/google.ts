import { generic } from './generic.ts';
import { isTrue, type Preset, textOf } from './preset.ts';

const ownDomains: ReadonlySet<string> = new Set(['gmail.com', 'googlemail.com']);

/**
 * Google. The claim `hd` is the domain of the organization of the user. The parameter `hd` is a wish only, so that the claim is
 * compared.
 */
export const google: Preset = {
  ...generic,
  issuerOf: () => 'https://accounts.google.com',
  hasUserinfo: false,
  takesLocales: false,
  reauthenticates: false,
  parametersOf: ({ tenants }): Readonly<Record<string, string>> => {
    const [tenant, ...others] = tenants.filter((each) => each !== '*');
    return tenant === undefined ? {} : { hd: others.length > 0 ? '*' : tenant };
  },
  isAllowed: ({ hd }, { tenants }) =>
    tenants.length === 0 || tenants.includes('*') || (typeof hd === 'string' && tenants.includes(hd.toLowerCase())),
  // Google is the authority for its own addresses, and for those of its organizations. Any other address was verified when the
  // Google account was created, and may have another owner by now.
  isEmailVerified: ({ email_verified: verified, email, hd }) => {
    const domain = textOf(email)?.split('@').at(-1)?.toLowerCase() ?? '';
    return isTrue(verified) && (ownDomains.has(domain) || textOf(hd)?.toLowerCase() === domain);
  },
};
