import { generic } from './generic.ts';
import { isTrue, type Preset, textOf } from './preset.ts';

const host = 'https://login.microsoftonline.com';

const isTenantId = (text: string): boolean => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);

/**
 * Microsoft Entra. The issuers of several tenants are templates: openid-client replaces `{tenantid}` by the `tid` of the token
 * and thus accepts every tenant. Safe against a foreign tenant because `isAllowed` compares `tid` with the configured ones.
 */
export const microsoft: Preset = {
  ...generic,
  issuerOf: ({ issuer, tenants }) => {
    const [tenant = '', ...others] = tenants;
    return issuer ?? `${host}/${isTenantId(tenant) && others.length === 0 ? tenant : 'organizations'}/v2.0`;
  },
  hasUserinfo: false,
  // `sub` is another one for each application; `oid` is that of the user in the tenant.
  subjectOf: ({ tid, oid }) => {
    const [tenant, user] = [textOf(tid), textOf(oid)];
    return tenant === undefined || user === undefined ? undefined : `${tenant.toLowerCase()}.${user.toLowerCase()}`;
  },
  // `email` is set by the administrators of any tenant ("nOAuth"). `xms_edov`: the tenant has proved that it owns the domain.
  isEmailVerified: ({ xms_edov: verified }) => isTrue(verified) || verified === 1 || verified === '1',
  isAllowed: ({ tid }, { tenants }) =>
    tenants.includes('*') ||
    (typeof tid === 'string' && tenants.some((each) => each.toLowerCase() === tid.toLowerCase())),
  // Users with more than 200 groups have a link to them instead.
  isUnknown: (claim, { _claim_names: names, hasgroups }) =>
    claim === 'groups' && (isTrue(hasgroups) || (typeof names === 'object' && names !== null && 'groups' in names)),
};
