import type { HashKind } from './users.ts';

export interface SlapdOptions {
  /** The number of numbered users. Default: 1,000. */
  readonly users?: number;
  /** The hash format of the numbered users. Default: SSHA, SSHA512, argon2id and bcrypt in turn. */
  readonly hash?: HashKind;
  /** slapd closes a connection that is idle for longer. Default: never. */
  readonly idleTimeoutSeconds?: number;
  /** The most entries of one search without paging. Default: 500. */
  readonly sizeLimit?: number;
}

export const suffix = 'dc=example,dc=org';
export const peopleDn = `ou=people,${suffix}`;
/** Below it, a bind gets the answer that `answers` has for the DN. */
export const answersDn = `ou=answers,${peopleDn}`;
export const groupsDn = `ou=groups,${suffix}`;
export const policiesDn = `ou=policies,${suffix}`;
/** The subtree with a referral to another server. */
export const remoteDn = `ou=remote,${suffix}`;
/** May do everything. */
export const administrator = { dn: `cn=admin,${suffix}`, password: 'admin-secret' };
/** The service account of the tests: it may read all but passwords. */
export const reader = { dn: `cn=reader,${suffix}`, password: 'reader-secret' };

/**
 * The attributes of Active Directory that a client reads, with Microsoft's OIDs, as an auxiliary class. The packaged
 * `msuser.schema` does not serve: its `memberOf` has no equality rule.
 */
export const activeDirectorySchema = `
attributetype ( 1.2.840.113556.1.4.221 NAME 'sAMAccountName' EQUALITY caseIgnoreMatch SUBSTR caseIgnoreSubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 SINGLE-VALUE )
attributetype ( 1.2.840.113556.1.4.656 NAME 'userPrincipalName' EQUALITY caseIgnoreMatch SUBSTR caseIgnoreSubstringsMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 SINGLE-VALUE )
attributetype ( 1.2.840.113556.1.4.8 NAME 'userAccountControl' EQUALITY integerMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE )
attributetype ( 1.2.840.113556.1.4.159 NAME 'accountExpires' EQUALITY integerMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE )
attributetype ( 1.2.840.113556.1.4.2 NAME 'objectGUID' EQUALITY octetStringMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.40 SINGLE-VALUE )
attributetype ( 1.2.840.113556.1.4.90 NAME 'unicodePwd' EQUALITY octetStringMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.40 SINGLE-VALUE )
objectclass ( 1.3.6.1.4.1.4203.666.99.1 NAME 'adUser' SUP top AUXILIARY
  MAY ( sAMAccountName $ userPrincipalName $ userAccountControl $ accountExpires $ objectGUID $ unicodePwd ) )
`;

interface Answer {
  readonly uid: string;
  /** The result code of RFC 4511, section 4.1.9. */
  readonly code: number;
  readonly text?: string;
  readonly sleepSeconds?: number;
}

/** The text by which Active Directory gives the reason for result code 49. */
const activeDirectory = (uid: string, data: string): Answer => ({
  uid,
  code: 49,
  text: `80090308: LdapErr: DSID-0C090447, comment: AcceptSecurityContext error, data ${data}, v4563`,
});

/** The answers to a bind by the user's name. */
export const answers: readonly Answer[] = [
  activeDirectory('ad-wrong', '52e'),
  activeDirectory('ad-disabled', '533'),
  activeDirectory('ad-expired', '701'),
  activeDirectory('ad-old-password', '532'),
  activeDirectory('ad-must-change', '773'),
  activeDirectory('ad-locked', '775'),
  { uid: 'vanished', code: 32 },
  { uid: 'busy', code: 51 },
  { uid: 'unavailable', code: 52 },
  { uid: 'other', code: 80 },
  { uid: 'slow', code: 49, sleepSeconds: 3 },
];

const retcodeItem = ({ uid, code, text = '', sleepSeconds = 0 }: Answer): string =>
  `retcode-item "cn=${uid}" ${code} op=bind text="${text}" sleeptime=${sleepSeconds}`;

/** slapd.conf. `dynlist` computes nested `memberOf`; `retcode` gives the binds below `answersDn` their answers. */
export const slapdConfiguration = (folder: string, { idleTimeoutSeconds, sizeLimit }: SlapdOptions): string => `
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
include /etc/ldap/schema/dyngroup.schema
include ${folder}/ad.schema
modulepath /usr/lib/ldap
moduleload back_mdb
moduleload argon2
moduleload pw-sha2
moduleload dynlist
moduleload ppolicy
moduleload retcode
pidfile ${folder}/slapd.pid
argsfile ${folder}/slapd.args
TLSCACertificateFile ${folder}/ca.pem
TLSCertificateFile ${folder}/server.pem
TLSCertificateKeyFile ${folder}/server.key
threads 4
idletimeout ${idleTimeoutSeconds ?? 0}
sizelimit ${sizeLimit ?? 500}

database mdb
maxsize 268435456
suffix "${suffix}"
rootdn "${administrator.dn}"
rootpw ${administrator.password}
directory ${folder}/db
# The data of a test outlives a killed slapd, not a power failure.
dbnosync
limits dn.exact="${reader.dn}" size.prtotal=unlimited
index objectClass,uid,mail,cn,entryUUID,member,memberURL,sAMAccountName,userPrincipalName,objectGUID eq
overlay dynlist
dynlist-attrset groupOfURLs memberURL member+memberOf@groupOfNames*
overlay retcode
retcode-parent "${answersDn}"
${answers.map(retcodeItem).join('\n')}
overlay ppolicy
ppolicy_default "cn=default,${policiesDn}"
ppolicy_use_lockout
access to attrs=userPassword,unicodePwd by self write by anonymous auth by * none
access to * by dn.exact="${reader.dn}" read by self read by anonymous auth by * none

database monitor
access to * by dn.exact="${administrator.dn}" read by * none
`;
