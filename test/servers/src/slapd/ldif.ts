import { answersDn, groupsDn, peopleDn, policiesDn, reader, remoteDn, suffix } from './configuration.ts';
import { type Attributes, type Entry, namedUsers, numberedUsers } from './users.ts';

const lines = (name: string, value: Attributes[string]): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap((each) => lines(name, each));
  const bytes = Buffer.isBuffer(value) ? value : Buffer.from(`${value}`);
  return [`${name}:: ${bytes.toString('base64')}`];
};

/** LDIF (RFC 2849) with every value in base64. */
export const toLdif = (entries: readonly Entry[]): string =>
  entries
    .map(({ dn, attributes }) =>
      [...lines('dn', dn), ...Object.entries(attributes).flatMap(([name, value]) => lines(name, value))].join('\n'),
    )
    .join('\n\n');

const unit = (dn: string): Entry => ({ dn, attributes: { objectClass: 'organizationalUnit' } });

const policy = (name: string, rules: Attributes): Entry => ({
  dn: `cn=${name},${policiesDn}`,
  attributes: { objectClass: ['organizationalRole', 'pwdPolicy'], pwdAttribute: 'userPassword', ...rules },
});

const group = (name: string, member: readonly string[]): Entry => ({
  dn: `cn=${name},${groupsDn}`,
  attributes: { objectClass: 'groupOfNames', member },
});

/** `engineering` is in `staff`, which is in `everyone`; `ada` is in `engineering`, `ben` in `staff`. */
const groups = (count: number): readonly Entry[] => [
  group('engineering', [`uid=ada,${peopleDn}`]),
  group('staff', [`uid=ben,${peopleDn}`, `cn=engineering,${groupsDn}`]),
  group('everyone', [`cn=staff,${groupsDn}`]),
  group('numbered', [
    ...namedUsers.slice(0, 1).map(({ dn }) => dn),
    ...numberedUsers(Math.min(count, 10)).map(({ dn }) => dn),
  ]),
  {
    dn: `cn=dynamic,${groupsDn}`,
    attributes: { objectClass: 'groupOfURLs', memberURL: `ldap:///${peopleDn}??one?(description=staff)` },
  },
];

/** The tree without the users. */
export const baseEntries = (count: number): readonly Entry[] => [
  { dn: suffix, attributes: { objectClass: ['organization', 'dcObject'], o: 'Example' } },
  ...[peopleDn, answersDn, groupsDn, policiesDn, remoteDn].map(unit),
  {
    dn: reader.dn,
    attributes: { objectClass: ['organizationalRole', 'simpleSecurityObject'], userPassword: reader.password },
  },
  policy('default', { pwdMinLength: 8, pwdCheckQuality: 2 }),
  policy('strict', {
    pwdLockout: 'TRUE',
    pwdMaxFailure: 3,
    pwdMaxAge: 86_400 * 365,
    pwdMustChange: 'TRUE',
    pwdMinLength: 8,
    pwdCheckQuality: 2,
  }),
  {
    dn: `cn=elsewhere,${remoteDn}`,
    attributes: {
      objectClass: ['referral', 'extensibleObject'],
      ref: `ldap://127.0.0.1:1/ou=people,dc=elsewhere,dc=org`,
    },
  },
  ...groups(count),
];
