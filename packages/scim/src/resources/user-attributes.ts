import type { Attributes } from '../schema/attribute.ts';
import { isObject, isUnassigned } from '../schema/normalise.ts';
import { enterpriseUrn } from '../schema/resource-types.ts';

/** Attributes that are one claim each (OpenID Connect Core, section 5.1, where it has one). */
const simple: readonly (readonly [path: readonly string[], claim: string])[] = [
  [['name', 'givenName'], 'given_name'],
  [['name', 'familyName'], 'family_name'],
  [['name', 'middleName'], 'middle_name'],
  [['nickName'], 'nickname'],
  [['profileUrl'], 'profile'],
  [['locale'], 'locale'],
  [['timezone'], 'zoneinfo'],
  [['title'], 'title'],
  [['userType'], 'user_type'],
  [[enterpriseUrn, 'employeeNumber'], 'employee_number'],
  [[enterpriseUrn, 'costCenter'], 'cost_center'],
  [[enterpriseUrn, 'organization'], 'organization'],
  [[enterpriseUrn, 'division'], 'division'],
  [[enterpriseUrn, 'department'], 'department'],
  [[enterpriseUrn, 'manager', 'value'], 'manager'],
];

/** The claim that holds attributes for which there is no claim: only SCIM clients read it. */
const ownClaim = 'scim';

/** The attributes in `ownClaim`. Claims of applications follow from some of them. */
const kept = ['userName', 'displayName', 'preferredLanguage', 'emails', 'phoneNumbers', 'addresses', 'roles'] as const;
const keptOfName = ['formatted', 'honorificPrefix', 'honorificSuffix'] as const;

type Values = readonly Attributes[];

const valuesOf = (value: unknown): Values => (Array.isArray(value) ? value.filter(isObject) : []);

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

const at = (resource: unknown, [name = '', ...names]: readonly string[]): unknown => {
  const member = isObject(resource) ? resource[name] : undefined;
  return names.length === 0 ? member : at(member, names);
};

/** The primary value of a list; else the one for work; else the first. */
const mainOf = (list: unknown): Attributes | undefined => {
  const values = valuesOf(list);
  return values.find(({ primary }) => primary === true) ?? values.find(({ type }) => type === 'work') ?? values[0];
};

const primaryEmailOf = ({ emails }: Attributes): string | undefined => textOf(mainOf(emails)?.value);

/** `address` of OpenID Connect Core, section 5.1.1. */
const addressClaim = (address: Attributes | undefined) => {
  const claim = Object.entries({
    formatted: address?.formatted,
    street_address: address?.streetAddress,
    locality: address?.locality,
    region: address?.region,
    postal_code: address?.postalCode,
    country: address?.country,
  }).filter(([, value]) => value !== undefined);
  return claim.length === 0 ? null : Object.fromEntries(claim);
};

const pick = (from: unknown, names: readonly string[]): Attributes =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = at(from, [name]);
      return isUnassigned(value) ? [] : [[name, value] as const];
    }),
  );

/** The full name: as given, or of its parts. */
const fullNameOf = (resource: Attributes): string | undefined => {
  const parts = ['givenName', 'familyName'].map((part) => textOf(at(resource, ['name', part])));
  const composed = parts.filter((part) => part !== undefined).join(' ');
  return textOf(resource.displayName) ?? textOf(at(resource, ['name', 'formatted'])) ?? textOf(composed);
};

/** The claims of a user with these attributes. `null` removes a claim whose attribute is absent. */
export const claimsOf = (resource: Attributes): Readonly<Record<string, unknown>> => {
  const own = { ...pick(resource, kept), ...wrapped('name', pick(resource.name, keptOfName)) };
  const roles = valuesOf(resource.roles).flatMap(({ value }) => textOf(value) ?? []);
  return {
    ...Object.fromEntries(simple.map(([path, claim]) => [claim, at(resource, path) ?? null])),
    name: fullNameOf(resource) ?? null,
    phone_number: textOf(mainOf(resource.phoneNumbers)?.value) ?? null,
    address: addressClaim(mainOf(resource.addresses)),
    roles: roles.length === 0 ? null : roles,
    [ownClaim]: Object.keys(own).length === 0 ? null : own,
  };
};

const wrapped = (name: string, value: Attributes): Attributes => (isUnassigned(value) ? {} : { [name]: value });

/** Sets a member of a resource that is being built. */
const setAt = (resource: Record<string, unknown>, [name = '', ...names]: readonly string[], value: unknown): void => {
  if (names.length === 0) resource[name] = value;
  else {
    const below: Record<string, unknown> = { ...(isObject(resource[name]) ? resource[name] : {}) };
    setAt(below, names, value);
    resource[name] = below;
  }
};

const sameText = (one: unknown, other: unknown): boolean =>
  typeof one === 'string' && typeof other === 'string' && one.toLowerCase() === other.toLowerCase();

/** The addresses that the client has stored, with the one by which the user signs in now. */
const emailsOf = (stored: Values, email: string | undefined): Values => {
  if (email === undefined || stored.some(({ value }) => sameText(value, email))) return stored;
  return [{ value: email, primary: true }, ...stored.filter(({ primary }) => primary !== true)];
};

/** The user as the attributes of a resource, from the claims and the login names. */
export const attributesOf = (
  claims: Readonly<Record<string, unknown>>,
  logins: readonly string[],
): Readonly<Record<string, unknown>> => {
  const own = isObject(claims[ownClaim]) ? claims[ownClaim] : {};
  const resource: Record<string, unknown> = { ...own };
  for (const [path, claim] of simple) if (textOf(claims[claim]) !== undefined) setAt(resource, path, claims[claim]);
  // An administrator may have changed the name since.
  if (textOf(claims.name) !== undefined && fullNameOf(resource) !== claims.name) resource.displayName = claims.name;
  const emails = emailsOf(valuesOf(own.emails), textOf(claims.email));
  if (emails.length > 0) resource.emails = emails;
  const isCurrent = logins.some((login) => sameText(login, own.userName));
  resource.userName = isCurrent ? own.userName : (claims.preferred_username ?? claims.email ?? logins[0] ?? '');
  return resource;
};

/** The login names of a user with these attributes. A user name that is the email address is one login name. */
export const loginsOf = (resource: Attributes): { readonly email: string | null; readonly username: string | null } => {
  const userName = textOf(resource.userName) ?? '';
  const email = primaryEmailOf(resource) ?? null;
  return { email, username: sameText(userName, email) ? null : userName };
};
