import { parseServerUrl } from './connection/server-url.ts';
import type { LdapDirectoryOptions, PresetName } from './options.ts';
import { createUserFilters } from './users/filters.ts';
import { idFormat } from './users/user-id.ts';

interface Preset {
  readonly loginAttributes: readonly string[];
  /** The filter that each user matches. */
  readonly filter: string;
  readonly idAttribute: string;
  readonly claims: Readonly<Record<string, string>>;
  /** The attributes of a group that name its members by DN. */
  readonly memberAttributes: readonly string[];
  /** The matching rule of `memberAttributes` that follows groups of groups on the server. */
  readonly nestedRule?: string;
  /** The password is changed by RFC 3062, or by the attribute `unicodePwd`. */
  readonly passwordChange: 'rfc3062' | 'unicodePwd';
}

/** The differences between directory products. */
const presets: Readonly<Record<PresetName, Preset>> = {
  openldap: {
    loginAttributes: ['uid'],
    filter: '(objectClass=person)',
    idAttribute: 'entryUUID',
    claims: {
      preferred_username: 'uid',
      name: 'cn',
      given_name: 'givenName',
      family_name: 'sn',
      email: 'mail',
      phone_number: 'telephoneNumber',
      locale: 'preferredLanguage',
    },
    memberAttributes: ['member', 'uniqueMember'],
    passwordChange: 'rfc3062',
  },
  'active-directory': {
    loginAttributes: ['sAMAccountName', 'userPrincipalName'],
    filter: '(&(objectCategory=person)(objectClass=user))',
    idAttribute: 'objectGUID',
    claims: {
      preferred_username: 'sAMAccountName',
      name: 'displayName',
      given_name: 'givenName',
      family_name: 'sn',
      email: 'mail',
      phone_number: 'telephoneNumber',
    },
    memberAttributes: ['member'],
    nestedRule: '1.2.840.113556.1.4.1941',
    passwordChange: 'unicodePwd',
  },
};

const accountOf = ({ bindDn, bindPassword }: LdapDirectoryOptions) => {
  if (bindDn === undefined && bindPassword === undefined) return undefined;
  // A bind with a DN and no password succeeds as anonymous on some servers (RFC 4513, section 5.1.2).
  if (!bindDn || !bindPassword) throw new TypeError('bindDn and bindPassword: set both or neither');
  return { dn: bindDn, password: bindPassword };
};

/** @throws TypeError that names the option */
export const settingsOf = (options: LdapDirectoryOptions) => {
  const preset = presets[options.preset ?? 'openldap'];
  const idAttribute = options.idAttribute ?? preset.idAttribute;
  const configured = options.loginAttributes ?? [];
  const loginAttributes = configured.length > 0 ? configured : preset.loginAttributes;
  if (options.urls.length === 0) throw new TypeError('urls: name at least one server');
  if (options.base === '') throw new TypeError('base: set the DN below which users are found');
  return {
    name: options.name,
    servers: options.urls.map((url) => parseServerUrl(url, options.startTls ?? true)),
    ca: options.ca,
    account: accountOf(options),
    base: options.base,
    filters: createUserFilters(options.filter ?? preset.filter, loginAttributes, idAttribute),
    idAttribute,
    idFormat: idFormat(idAttribute),
    claims: { ...preset.claims, ...options.claims },
    groups: options.groups ?? 'none',
    groupBase: options.groupBase,
    groupNames: options.groupNames ?? 'name',
    nestedGroups: options.nestedGroups ?? false,
    memberAttributes: preset.memberAttributes,
    nestedRule: preset.nestedRule,
    passwordChange: preset.passwordChange,
    poolSize: options.poolSize ?? 10,
    timeoutMs: options.timeoutMs ?? 5_000,
  };
};

/** The options with defaults and those of the preset filled in. */
export type LdapSettings = Readonly<ReturnType<typeof settingsOf>>;
