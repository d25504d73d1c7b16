import { describe, expect, it } from 'vitest';
import { callback, openFederation, openUpstream, upstreamOptions } from '../federation/open-federation.ts';
import { createUser, organizationsOf, password, useDatabases } from '../open-test-accounts.ts';

const databases = useDatabases();
const ada = { name: 'Ada', email: 'ada@example.com', email_verified: true };
const binding = 'login-challenge-1';
const organizations = organizationsOf(
  { name: 'acme', displayName: 'Acme', domains: ['acme.example'], providers: ['corp'] },
  { name: 'globex', displayName: 'Globex', providers: ['partner'], members: { groups: ['globex'] } },
);

/** Acme signs in with `corp`; the users of Globex with `partner`, or they are in its group. */
const open = async () => {
  const database = await databases.createUrl('sqlite');
  const partner = await openUpstream('partner');
  const others = [upstreamOptions(partner, { name: 'partner', signUp: 'automatic' })];
  const provider = { signUp: 'automatic', claims: { groups: 'groups' } } as const;
  const test = await openFederation({ database, provider, others, options: { organizations } });
  test.upstream.users.set('ada', { ...ada, groups: ['globex'] });
  partner.users.set('ada', { name: 'Ada' });
  /** Links the identity at the other provider to the user. */
  const linkPartner = async (subject: string) => {
    const page = { provider: 'partner', binding, callback: callback.replace('/corp', '/partner') };
    const { url, cookie } = await test.accounts.providers.begin({ ...page, subject });
    const answer = await partner.authorize(url, { user: 'ada' });
    return test.accounts.providers.finish({ ...page, answer, cookie });
  };
  return { ...test, database, linkPartner };
};

describe('a sign-in with the provider of an organization', () => {
  it('the provider makes its users members, and the groups that it sends do not', async () => {
    const { signIn } = await open();
    const member = { state: 'done', organization: 'acme' };
    expect(await signIn({ user: 'ada' })).toMatchObject(member);
    expect(await signIn({ user: 'ada' }, { organization: 'acme' })).toMatchObject(member);
    expect(await signIn({ user: 'ada' }, { organization: 'globex' })).toEqual({ state: 'not_member' });
  });

  it('makes no member of the user who signs in in another way, now or by a remembered login', async () => {
    const { signIn, accounts, database } = await open();
    const subject = await createUser(database, { email: 'grace@example.com' });
    const linked = await signIn({ user: 'grace' }, { subject });
    expect(linked).toMatchObject({ state: 'done', subject, organization: 'acme' });
    const byPassword = { login: 'grace@example.com', password, binding };
    expect(await accounts.signIn.password(byPassword)).not.toHaveProperty('organization');
    expect(await accounts.signIn.password({ ...byPassword, organization: 'acme' })).toEqual({ state: 'refused' });
    const ofUser = (provider?: string) => accounts.organizations.ofUser({ subject, organization: 'acme', provider });
    expect(await ofUser('corp')).toEqual({ state: 'done', organization: 'acme' });
    expect(await ofUser('partner')).toEqual({ state: 'sign_in' });
    expect(await ofUser()).toEqual({ state: 'sign_in' });
  });

  it('a remembered login stays one of its provider, whatever identities the user removes', async () => {
    const { signIn, accounts, linkPartner } = await open();
    const first = await signIn({ user: 'ada' });
    expect(first).toMatchObject({ state: 'done', provider: 'corp' });
    const { subject } = first as { subject: string };
    expect(await linkPartner(subject)).toMatchObject({ organization: 'globex', provider: 'partner' });
    const ofUser = (organization: string, provider: string) =>
      accounts.organizations.ofUser({ subject, organization, provider });
    const remove = async (name: string) => {
      const { identities } = await accounts.providers.identities({ subject });
      const id = identities.find(({ provider }) => provider === name)?.id ?? '';
      expect(await accounts.providers.unlink({ subject, id })).toEqual({ ok: true });
    };
    expect(await ofUser('globex', 'partner')).toEqual({ state: 'done', organization: 'globex' });
    expect(await ofUser('acme', 'partner')).toEqual({ state: 'sign_in' });
    await remove('partner');
    expect(await ofUser('globex', 'partner')).toEqual({ state: 'sign_in' });
    expect(await ofUser('acme', 'partner')).toEqual({ state: 'sign_in' });
    expect(await ofUser('acme', 'corp')).toEqual({ state: 'done', organization: 'acme' });
  });
});

describe('the login page', () => {
  it('offers the providers of the organization of the request, or of the domain of the login name', async () => {
    const { accounts } = await open();
    const list = async (input: object) => {
      const { providers, ...decided } = await accounts.providers.list(input);
      return { names: providers.map(({ name }) => name), ...decided };
    };
    const acme = { names: ['corp'], only: 'corp', providersOnly: true };
    expect(await list({})).toEqual({ names: ['corp', 'partner'] });
    expect(await list({ organization: 'acme' })).toEqual(acme);
    expect(await list({ login: 'ada@acme.example' })).toEqual(acme);
    expect(await list({ organization: 'acme', hint: 'partner' })).toEqual(acme);
    // Users of any provider may be in the group.
    expect(await list({ organization: 'globex' })).toEqual({ names: ['corp', 'partner'] });
    expect(await accounts.settings()).toMatchObject({
      organizations: true,
      identifierFirst: true,
      scopes: { organization: ['organization'] },
    });
  });
});

describe('providers without directories', () => {
  it('decide about the organization', async () => {
    const own = organizationsOf(
      { name: 'acme', displayName: 'Acme', providers: ['corp'], clients: ['erp'] },
      { name: 'globex', displayName: 'Globex', providers: ['partner'], clients: ['crm'] },
    );
    const partner = upstreamOptions(await openUpstream('partner'), { name: 'partner' });
    const options = { directories: [], organizations: own };
    const { signIn, events } = await openFederation({ database: undefined, options, others: [partner] });
    expect(await signIn({ user: 'ada' })).toMatchObject({ state: 'done', organization: 'acme' });
    expect(await signIn({ user: 'ada' }, { clientId: 'erp' })).toMatchObject({ state: 'done', organization: 'acme' });
    expect(await signIn({ user: 'ada' }, { organization: 'globex' })).toEqual({ state: 'not_member' });
    expect(await signIn({ user: 'ada' }, { clientId: 'crm' })).toEqual({ state: 'not_member' });
    expect(events.at(-1)).toMatchObject({ type: 'sign_in', result: 'not_member' });
  });
});
