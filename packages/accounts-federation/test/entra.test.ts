import { createEntraStandIn, entraIssuer } from '@carnet/test-servers/identity-providers';
import { describe, expect, it } from 'vitest';
import { clientOf, openProvider, optionsOf, type SignInOptions, signIn } from './open-preset.ts';

const client = clientOf('entra');
const [ours, foreign] = ['72f988bf-86f1-41af-91ab-2d7cd011db47', '11111111-2222-3333-4444-555555555555'];
const oid = '00000000-0000-0000-66f3-3332eca7ea81';

const userOf = (tid: string, members: object = {}) => ({
  ...{ iss: entraIssuer(tid), tid, oid, sub: 'pairwise', name: 'Ada', email: 'ada@example.com' },
  ...members,
});

const open = async (tenants: readonly string[], claims: Readonly<Record<string, string>> = {}) => {
  const [tenant = '', ...others] = tenants;
  const entra = createEntraStandIn(client, others.length === 0 && tenant !== '*' ? tenant : 'organizations');
  const provider = await openProvider(optionsOf({ name: 'entra', preset: 'microsoft', tenants, claims }), entra.send);
  const by = (user: object, options?: SignInOptions) =>
    signIn(provider, entra, client.redirectUri, { ...user }, options);
  return { entra, by };
};

describe('Microsoft Entra', () => {
  it('signs in a user of the only tenant, whose subject is that of the user in the tenant', async () => {
    const { by } = await open([ours]);
    expect(await by(userOf(ours))).toMatchObject({
      outcome: 'verified',
      user: { subject: `${ours}.${oid}`, email: 'ada@example.com', emailVerified: false },
    });
  });

  it('of several tenants, accepts the listed ones and refuses any other', async () => {
    const { by } = await open([ours, '99999999-2222-3333-4444-555555555555']);
    expect(await by(userOf(ours))).toMatchObject({ outcome: 'verified' });
    expect(await by(userOf(foreign))).toEqual({ outcome: 'denied', reason: 'foreign_tenant' });
  });

  it('a token whose tenant is not that of its issuer is refused', async () => {
    const { by } = await open([ours, '99999999-2222-3333-4444-555555555555']);
    expect(await by({ ...userOf(ours), iss: entraIssuer(foreign) })).toMatchObject({ outcome: 'failed' });
  });

  it('two tenants with the same id of a user are two subjects', async () => {
    const { by } = await open(['*']);
    const [one, other] = [await by(userOf(ours)), await by(userOf(foreign))];
    expect(one).toMatchObject({ user: { subject: `${ours}.${oid}` } });
    expect(other).toMatchObject({ user: { subject: `${foreign}.${oid}` } });
  });

  it('a token without oid is refused: its subject would be another one', async () => {
    const { by } = await open([ours]);
    expect(await by(userOf(ours, { oid: undefined }))).toEqual({ outcome: 'failed', reason: 'no_subject' });
  });

  it.each([
    ['email_verified, which no tenant proves', { email_verified: true }, false],
    ['xms_edov: the tenant owns the domain', { xms_edov: true }, true],
    ['xms_edov as a number', { xms_edov: 1 }, true],
    ['xms_edov: false', { xms_edov: false }, false],
  ])('the address is verified by %s: %j is %s', async (_title, members, emailVerified) => {
    const { by } = await open([ours]);
    expect(await by(userOf(ours, members))).toMatchObject({ user: { emailVerified } });
  });

  it('what the token says about email is nothing about the address of another claim', async () => {
    const members = { preferred_username: 'eve@example.org', mail_verified: 'true', xms_edov: true };
    const { by } = await open([ours], { email: 'preferred_username' });
    expect(await by(userOf(ours, members))).toMatchObject({ user: { email: 'eve@example.org', emailVerified: false } });
    const { by: mapped } = await open([ours], { email: 'preferred_username', email_verified: 'mail_verified' });
    expect(await mapped(userOf(ours, members))).toMatchObject({ user: { emailVerified: true } });
  });

  it.each([
    ['a recent sign-in is accepted', 30, 'verified'],
    ['a sign-in that is older than max_age is refused', 3_600, 'failed'],
    ['a sign-in without auth_time is refused', undefined, 'failed'],
  ])('with max_age, %s', async (_title, age, outcome) => {
    const { by } = await open([ours]);
    const time = age === undefined ? undefined : Math.floor(Date.now() / 1_000) - age;
    expect(await by(userOf(ours, { auth_time: time }), { maxAge: 60 })).toMatchObject({ outcome });
  });

  it.each([
    ['a new sign-in is fresh', 0, true],
    ['an earlier sign-in is not', 3_600, false],
  ])('with prompt=login, %s', async (_title, age, isFresh) => {
    const { by } = await open([ours]);
    const time = Math.floor(Date.now() / 1_000) - age;
    const answered = await by(userOf(ours, { auth_time: time }), { loginAfter: Date.now() });
    expect(answered).toMatchObject({ outcome: 'verified', user: { isFresh } });
  });

  it('groups that are left out because there are too many are unknown, and none are none', async () => {
    const { by } = await open([ours], { groups: 'groups' });
    expect(await by(userOf(ours, { groups: ['a'] }))).toMatchObject({ user: { mapped: { groups: ['a'] } } });
    expect(await by(userOf(ours))).toMatchObject({ user: { mapped: { groups: null } } });
    const many = await by(userOf(ours, { _claim_names: { groups: 'src1' } }));
    expect(many).toMatchObject({ user: { mapped: {} } });
    expect(many).not.toMatchObject({ user: { mapped: { groups: null } } });
  });
});
