import type { PresetName } from './options.ts';

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
export const presets: Readonly<Record<PresetName, Preset>> = {
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
