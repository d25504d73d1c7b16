import { describe, expect, it } from 'vitest';
import { createUser, enrolTotp, password, progressOf, useDatabases } from '../open-test-accounts.ts';
import { createAuthenticator } from '../second-factors/software-authenticator.ts';
import { binding, callback, finishOf, openFederation, openUpstream, upstreamOptions } from './open-federation.ts';

const databases = useDatabases();
const login = { login: 'ada@example.com', password, binding };
const portal = { clientId: 'portal' };

/** The client `portal` is fixed to the provider `corp`; `partner` is another provider. */
const open = async () => {
  const database = await databases.createUrl('sqlite');
  const subject = await createUser(database, { emailVerified: true });
  const partner = await openUpstream('partner');
  const others = [upstreamOptions(partner, { name: 'partner', signUp: 'automatic' })];
  const test = await openFederation({ database, provider: { signUp: 'automatic', clients: ['portal'] }, others });
  test.upstream.users.set('ada', { name: 'Ada', email: 'ada@example.com', email_verified: true });
  /** Signs in at the other provider. The sign-in begins for another client than it ends for. */
  const atPartner = async (members: object = {}) => {
    const page = { provider: 'partner', binding, callback: callback.replace('/corp', '/partner') };
    const { url, cookie } = await test.accounts.providers.begin({ ...page, ...members });
    const answer = await partner.authorize(url, { user: 'ada' });
    return test.accounts.providers.finish({ ...page, ...portal, answer, cookie });
  };
  return { ...test, subject, partner, atPartner };
};

describe('a client that is fixed to a provider', () => {
  it('accepts no sign-in at another provider that began without it, also of a linked identity', async () => {
    const { atPartner, partner, accounts, subject, events } = await open();
    const before = partner.requests.length;
    expect(await atPartner()).toEqual({ state: 'refused' });
    expect(partner.requests.slice(before)).not.toContain('POST /token');
    expect(events.at(-1)).toMatchObject({ result: 'refused', reason: 'other_provider', provider: 'partner' });
    const page = { provider: 'partner', binding, callback: callback.replace('/corp', '/partner') };
    const { url, cookie } = await accounts.providers.begin({ ...page, subject });
    const answer = await partner.authorize(url, { user: 'ada' });
    expect(await accounts.providers.finish({ ...page, answer, cookie })).toMatchObject({ state: 'done', subject });
    expect(await atPartner()).toEqual({ state: 'refused' });
  });

  it('accepts no password, no passkey, and no progress of another client', async () => {
    const test = await open();
    const { accounts, subject, lines } = test;
    expect(await accounts.signIn.password({ ...login, ...portal })).toEqual({ state: 'refused' });
    expect(lines.at(-1)).toContain('The client accepts sign-ins at its provider only.');
    expect(await accounts.signIn.password(login)).toMatchObject({ state: 'done' });
    const passkey = createAuthenticator({ origin: 'https://login.example.com', rpId: 'example.com' });
    const owner = { subject };
    const enrolment = await accounts.factors.passkeyOptions({ owner });
    const response = passkey.register(enrolment.options);
    expect(await accounts.factors.passkey({ owner, challenge: enrolment.challenge, response })).toMatchObject({
      ok: true,
    });
    const { options, challenge } = await accounts.signIn.passkeyOptions({ binding });
    const proof = passkey.signIn(options);
    const byPasskey = accounts.signIn.passkey({ binding, challenge, response: proof, ...portal });
    expect(await byPasskey).toEqual({ state: 'refused' });
    const progress = progressOf(await accounts.signIn.password(login), 'factor');
    expect(await accounts.signIn.resume({ progress, binding, ...portal })).toEqual({ state: 'refused' });
  });

  it('accepts the password of a user who links an identity at its provider', async () => {
    const { accounts, signIn, subject } = await open();
    const asked = await signIn({ user: 'ada' }, portal);
    expect(asked).toMatchObject({ state: 'link' });
    const { link } = asked as { link: string };
    const foreign = { ...login, ...portal, link: `${link}x` };
    expect(await accounts.signIn.password(foreign)).toEqual({ state: 'refused' });
    expect(await accounts.signIn.password({ ...login, ...portal, link })).toMatchObject({ state: 'done', subject });
    expect(await signIn({ user: 'ada' }, portal)).toMatchObject({ state: 'done', subject });
  });
});

describe('a sign-in that links an identity', () => {
  // Decided: docs/concepts/security.md, "What is not protected".
  it('needs the password alone of a user without a second factor, also at the provider of a fixed client', async () => {
    const { signIn, subject, upstream, events } = await open();
    upstream.users.set('eve', { name: 'Eve', email: 'eve@example.com', email_verified: true });
    // The account page has signed the user in, by the password.
    expect(await signIn({ user: 'eve' }, { subject })).toMatchObject({ state: 'done', subject });
    expect(await signIn({ user: 'eve' }, portal)).toMatchObject({ state: 'done', subject });
    expect(events).toContainEqual(expect.objectContaining({ type: 'identity', action: 'linked', subject }));
  });

  it('needs the second factor of a user who has one, also if the policy is none', async () => {
    const database = await databases.createUrl('sqlite');
    const subject = await createUser(database, { emailVerified: true });
    const secondFactors = { policy: 'none', realms: {}, clients: {}, kinds: ['totp'] } as const;
    const test = await openFederation({ database, options: { secondFactors } });
    const { accounts, signIn, upstream } = test;
    upstream.users.set('ada', { name: 'Ada', email: 'ada@example.com', email_verified: true });
    await enrolTotp(test, subject);
    const { link } = (await signIn({ user: 'ada' })) as { link: string };
    const asked = await accounts.signIn.password({ ...login, link });
    expect(asked).toMatchObject({ state: 'factor', kinds: ['totp'] });
    const progress = progressOf(asked, 'factor');
    expect(await accounts.signIn.resume({ progress, binding, link })).toMatchObject({ state: 'factor' });
    // Without the link, the password is enough, as the policy says, and nothing is linked.
    expect(await accounts.signIn.resume({ progress, binding })).toMatchObject({ state: 'done' });
    expect(await accounts.providers.identities({ subject })).toEqual({ identities: [] });
  });
});

describe('the progress of a sign-in at a provider', () => {
  it('ends when the identity is unlinked', async () => {
    const database = await databases.createUrl('sqlite');
    const subject = await createUser(database);
    const test = await openFederation({ database });
    const { accounts, answer, signIn, upstream } = test;
    upstream.users.set('ada', { name: 'Ada' });
    expect(await signIn({ user: 'ada' }, { subject })).toMatchObject({ state: 'done' });
    await enrolTotp(test, subject);
    const asked = await accounts.providers.finish(finishOf(await answer({ user: 'ada' })));
    if (asked.state !== 'factor') throw new Error(asked.state);
    const { progress } = asked;
    expect(await accounts.signIn.resume({ progress, binding })).toMatchObject({ state: 'factor' });
    const { identities } = await accounts.providers.identities({ subject });
    await accounts.providers.unlink({ subject, id: identities[0]?.id ?? '' });
    expect(await accounts.signIn.resume({ progress, binding })).toEqual({ state: 'expired' });
  });
});
