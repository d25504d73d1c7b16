import { parseServerUrl } from './connection/server-url.ts';
import type { LdapDirectoryOptions } from './options.ts';
import { presets } from './presets.ts';
import { createUserFilters } from './users/filters.ts';
import { idFormat } from './users/user-id.ts';

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
