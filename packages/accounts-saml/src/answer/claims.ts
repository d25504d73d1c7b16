import type { SamlProviderOptions, UpstreamUser } from '@carnet/accounts';

/** Attributes by their names: a text, or several. */
export type Attributes = Readonly<Record<string, unknown>>;

const microsoft = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/';

/** The names of the usual attributes: short ones, those of eduPerson and LDAP, and those of AD FS and Entra. */
const usual: Readonly<Record<string, readonly string[]>> = {
  email: ['email', 'mail', 'urn:oid:0.9.2342.19200300.100.1.3', `${microsoft}emailaddress`],
  name: [
    'displayName',
    'name',
    'urn:oid:2.16.840.1.113730.3.1.241',
    'http://schemas.microsoft.com/identity/claims/displayname',
  ],
  given_name: ['givenName', 'given_name', 'firstName', 'urn:oid:2.5.4.42', `${microsoft}givenname`],
  family_name: ['sn', 'surname', 'family_name', 'lastName', 'urn:oid:2.5.4.4', `${microsoft}surname`],
  preferred_username: ['username', 'uid', 'urn:oid:0.9.2342.19200300.100.1.1', `${microsoft}name`],
};

/** These decide who the user is. */
const identifying: ReadonlySet<string> = new Set(['email', 'email_verified']);

const longestText = 2_048;

const textOf = (value: unknown): string | undefined => {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === 'string' && first !== '' && first.length <= longestText ? first : undefined;
};

/** A claim of the mapping: an attribute with one value is a text, one with several a list. */
const mappedOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.filter((each) => typeof each === 'string');
  return typeof value === 'string' ? value : null;
};

const own = (attributes: Attributes, name: string): unknown =>
  Object.hasOwn(attributes, name) ? attributes[name] : undefined;

/** The claims of a user by their names at Carnet. `email` is verified if an attribute of the mapping says so, or by `isAuthorityFor`. */
export const readClaims = (
  { claims: mapping, isAuthorityFor }: SamlProviderOptions,
  attributes: Attributes,
): Pick<UpstreamUser, 'claims' | 'mapped' | 'email' | 'emailVerified'> => {
  const usualOf = (claim: string): string | undefined =>
    (usual[claim] ?? []).map((name) => textOf(own(attributes, name))).find((value) => value !== undefined);
  const mapped = Object.fromEntries(
    Object.entries(mapping)
      .filter(([claim]) => !identifying.has(claim))
      .map(([claim, name]) => [claim, mappedOf(own(attributes, name))]),
  );
  const profile = Object.keys(usual)
    .filter((claim) => !identifying.has(claim))
    .map((claim) => [claim, usualOf(claim)] as const);
  const fullName = ['given_name', 'family_name'].map(usualOf).filter((part) => part !== undefined);
  const name = fullName.length > 0 ? fullName.join(' ') : undefined;
  const found = profile.filter(([, value]) => value !== undefined);
  const known = Object.entries({ name, ...Object.fromEntries(found), ...mapped });
  const email = mapping.email === undefined ? usualOf('email') : textOf(own(attributes, mapping.email));
  const domain = email?.slice(email.lastIndexOf('@') + 1).toLowerCase() ?? '';
  const isStated = mapping.email_verified !== undefined && textOf(own(attributes, mapping.email_verified)) === 'true';
  return {
    claims: Object.fromEntries(known.filter(([, value]) => value !== null && value !== undefined)),
    mapped,
    email,
    // SAML has no claim for it. A provider that gives out the addresses of a domain knows whose they are.
    emailVerified: isStated || isAuthorityFor.includes(domain),
  };
};

export const subjectOf = (
  { subjectAttribute }: Pick<SamlProviderOptions, 'subjectAttribute'>,
  attributes: Attributes,
): string | undefined => (subjectAttribute === undefined ? undefined : textOf(own(attributes, subjectAttribute)));
