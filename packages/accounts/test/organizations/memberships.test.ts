import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '@carnet/test-servers/listen';
import { describe, expect, it, onTestFinished } from 'vitest';
import { auditOf } from '../../src/audit.ts';
import { mailAt, openWithMail } from '../mailbox.ts';
import {
  createUser,
  directoryOf,
  enrolTotp,
  fileDirectory,
  openTestAccounts,
  organizationsOf,
  password,
  progressOf,
  testOptions,
  useDatabases,
} from '../open-test-accounts.ts';
import { createAuthenticator } from '../second-factors/software-authenticator.ts';

const databases = useDatabases();
const binding = 'login-challenge-1';

/**
 * The users ada (database), and grace of the customer Acme (file). Acme has a directory, a client and a policy; Globex has the
 * group `globex`.
 */
const open = async ({ policy = 'optional' as 'optional' | 'required' } = {}) => {
  const database = await databases.createUrl('sqlite');
  const subject = await createUser(database, { emailVerified: true });
  const acme = await fileDirectory('acme', 'acme.', {
    email: 'grace@acme.example',
    claims: { name: 'Grace', groups: ['globex'] },
  });
  const { directories, secondFactors } = testOptions();
  const organizations = organizationsOf(
    { name: 'acme', displayName: 'Acme', directories: ['acme'], members: { groups: ['acme'] }, clients: ['erp'] },
    { name: 'globex', displayName: 'Globex', members: { groups: ['globex'] }, secondFactors: policy },
  );
  const test = await openTestAccounts(
    testOptions({ database, directories: [...directories, acme], secondFactors, organizations }),
  );
  const { accounts } = test;
  /** Ada is a member of these groups of the database. */
  const join = async (...names: readonly string[]) => {
    for (const name of names) await accounts.groups.create({ name, members: [subject] });
  };
  const signIn = (members: object = {}, login = 'ada@example.com') =>
    accounts.signIn.password({ login, password, binding, ...members });
  return { ...test, subject, join, signIn };
};

const shown = [
  { name: 'acme', displayName: 'Acme' },
  { name: 'globex', displayName: 'Globex' },
];

describe('a first sign-in', () => {
  it('has the only organization of the user, and none for a user without one', async () => {
    const { signIn, join } = await open();
    expect(await signIn()).not.toHaveProperty('organization');
    await join('globex');
    expect(await signIn()).toMatchObject({ state: 'done', organization: 'globex' });
    expect(await signIn({}, 'grace@acme.example')).toMatchObject({ state: 'done', organization: 'acme' });
  });

  it('lets a member of several choose after the sign-in, and accepts no other choice', async () => {
    const { signIn, join, accounts, subject } = await open();
    await join('globex', 'acme');
    const asked = await signIn();
    expect(asked).toMatchObject({ state: 'choose_organization', organizations: shown });
    const progress = progressOf(asked, 'choose_organization');
    const choose = (chosen: string, members: object = {}) =>
      accounts.signIn.chooseOrganization({ progress, binding, chosen, ...members });
    expect(await choose('globex')).toMatchObject({ state: 'done', subject, organization: 'globex' });
    expect(await choose('acme')).toMatchObject({ state: 'done', organization: 'acme' });
    for (const foreign of ['initech', '', 'constructor'])
      expect(await choose(foreign)).toEqual({ state: 'not_member' });
    // The request decides before the choice.
    expect(await choose('globex', { organization: 'acme' })).toMatchObject({ organization: 'acme' });
    expect(await choose('globex', { binding: 'another' })).toEqual({ state: 'expired' });
  });

  it('for an organization of the request is refused for a user who is no member, as for an unknown one', async () => {
    const { signIn, join, events, subject } = await open();
    await join('globex');
    expect(await signIn({ organization: 'globex' })).toMatchObject({ state: 'done', organization: 'globex' });
    expect(await signIn({ organization: 'acme' })).toEqual({ state: 'not_member' });
    const [event] = events.filter(({ type }) => type === 'sign_in').slice(-1);
    expect(event && auditOf(event)).toMatchObject({ outcome: 'denied', reason: 'not_member', subject });
    expect(await signIn({ organization: 'unknown' })).toEqual({ state: 'not_member' });
    expect(await signIn({ organization: 'acme', password: 'wrong' })).toEqual({ state: 'refused' });
  });

  it('accepts members alone at a client of an organization', async () => {
    const { signIn, join } = await open();
    await join('globex');
    expect(await signIn({ clientId: 'erp' })).toEqual({ state: 'not_member' });
    expect(await signIn({ clientId: 'erp', organization: 'globex' })).toEqual({ state: 'not_member' });
    await join('acme');
    expect(await signIn({ clientId: 'erp' })).toMatchObject({ state: 'done', organization: 'acme' });
  });

  it('reads no groups that the directory of a customer gives to its users', async () => {
    const { signIn } = await open();
    expect(await signIn({}, 'grace@acme.example')).toMatchObject({ state: 'done', organization: 'acme' });
    expect(await signIn({ organization: 'globex' }, 'grace@acme.example')).toEqual({ state: 'refused' });
  });

  it('ends the membership with the group, also in the middle of a sign-in', async () => {
    const { signIn, join, accounts } = await open();
    await join('globex', 'acme');
    const progress = progressOf(await signIn(), 'choose_organization');
    const [acme] = (await accounts.groups.list({ name: 'acme' })).groups;
    await accounts.groups.delete({ id: acme?.id ?? '' });
    const chosen = { progress, binding, chosen: 'acme' };
    expect(await accounts.signIn.chooseOrganization(chosen)).toEqual({ state: 'not_member' });
  });
});

describe('a request for an organization with directories alone', () => {
  it('checks a password in its directories only', async () => {
    const database = await databases.createUrl('sqlite');
    await createUser(database, { username: 'ann', email: 'ann@example.com' });
    const acme = await fileDirectory('acme', 'acme.', { logins: ['ann'] });
    const organizations = organizationsOf({ name: 'acme', displayName: 'Acme', directories: ['acme'] });
    const directories = [...testOptions().directories, acme];
    const { accounts } = await openTestAccounts(testOptions({ database, directories, organizations }));
    const ann = { login: 'ann', password, binding };
    expect(await accounts.signIn.password(ann)).toMatchObject({ subject: expect.stringMatching(/^people\./) });
    const asked = { ...ann, organization: 'acme' };
    expect(await accounts.signIn.password(asked)).toMatchObject({ subject: 'acme.u1', organization: 'acme' });
  });
});

describe('a login name with the domain of an organization', () => {
  it('sends no password to the directories of other organizations', async () => {
    const received: string[] = [];
    const server = createServer(async (request, response) => {
      received.push(await text(request));
      response.writeHead(401).end();
    });
    const { port, close } = await listen(server);
    onTestFinished(close);
    const url = `http://127.0.0.1:${port}/users`;
    const acme = directoryOf({ kind: 'http', name: 'acme', url, token: 'a token of the directory' });
    const globex = await fileDirectory('globex', 'globex.', { logins: ['bob@globex.example', 'bob'] });
    const organizations = organizationsOf(
      { name: 'acme', displayName: 'Acme', directories: ['acme'], domains: ['acme.example'] },
      {
        ...{ name: 'globex', displayName: 'Globex', directories: ['globex'], domains: ['globex.example'] },
        members: { groups: ['globex'] },
      },
    );
    const database = await databases.createUrl('sqlite');
    await createUser(database, { email: 'eve@globex.example' });
    const directories = [acme, globex, ...testOptions().directories];
    const { accounts } = await openTestAccounts(testOptions({ database, directories, organizations }));
    const signIn = (login: string, organization?: string) =>
      accounts.signIn.password({ login, password, binding, organization });
    const bob = { state: 'done', subject: 'globex.u1', organization: 'globex' };
    expect(await signIn('bob@GLOBEX.example')).toMatchObject(bob);
    expect(await signIn('bob', 'globex')).toMatchObject(bob);
    // The accounts database belongs to no customer.
    expect(await signIn('eve@globex.example')).toMatchObject({ state: 'done' });
    expect(received).toEqual([]);
    expect(await signIn('bob@acme.example')).toEqual({ state: 'refused' });
    expect(received.join()).toContain(password);
  });
});

describe('the policy of an organization', () => {
  it('applies after the choice, and to the request that names it', async () => {
    const test = await open({ policy: 'required' });
    await test.join('globex', 'acme');
    const progress = progressOf(await test.signIn(), 'choose_organization');
    const chosen = { progress, binding, chosen: 'globex' };
    expect(await test.accounts.signIn.chooseOrganization(chosen)).toMatchObject({ state: 'enrol', required: true });
    expect(await test.signIn({ organization: 'acme' })).toMatchObject({ state: 'done' });
    expect(await test.signIn({ organization: 'globex' })).toMatchObject({ state: 'enrol', required: true });
    await enrolTotp(test, test.subject);
    // The memberships are shown after every factor of the user.
    expect(await test.signIn()).toMatchObject({ state: 'factor' });
  });
});

describe('the account pages', () => {
  it('have the strictest policy of all organizations of the user, whatever the request names', async () => {
    const { accounts, signIn, join, subject } = await open({ policy: 'required' });
    const clientId = 'carnet-account';
    const ofUser = (acr: string, members: object = {}) =>
      accounts.organizations.ofUser({ subject, clientId, acr, ...members });
    expect(await signIn({ clientId })).toMatchObject({ state: 'done' });
    expect(await ofUser('urn:carnet:1fa')).toEqual({ state: 'done' });
    await join('acme');
    expect(await signIn({ clientId })).toMatchObject({ state: 'done' });
    await join('globex');
    for (const members of [{}, { organization: 'acme' }, { organization: 'unknown' }]) {
      expect(await signIn({ clientId, ...members })).toMatchObject({ state: 'enrol', required: true });
      expect(await ofUser('urn:carnet:1fa', members)).toEqual({ state: 'sign_in' });
      expect(await ofUser('urn:carnet:2fa', members)).toMatchObject({ state: 'done' });
    }
    expect(await ofUser('urn:carnet:1fa', { chosen: 'acme' })).toEqual({ state: 'sign_in' });
  });
});

describe('a remembered login', () => {
  const passwordOnly = { acr: 'urn:carnet:1fa' };

  it('each request is compared with the memberships', async () => {
    const { accounts, join, subject } = await open();
    const ofUser = (members: object = {}) => accounts.organizations.ofUser({ subject, ...passwordOnly, ...members });
    expect(await ofUser()).toEqual({ state: 'done' });
    expect(await ofUser({ organization: 'globex' })).toEqual({ state: 'sign_in' });
    await join('globex');
    expect(await ofUser()).toEqual({ state: 'done', organization: 'globex' });
    expect(await ofUser({ organization: 'acme' })).toEqual({ state: 'sign_in' });
    expect(await ofUser({ clientId: 'erp' })).toEqual({ state: 'sign_in' });
    await join('acme');
    expect(await ofUser()).toEqual({ state: 'choose_organization', organizations: shown });
    expect(await ofUser({ chosen: 'acme' })).toEqual({ state: 'done', organization: 'acme' });
    expect(await ofUser({ chosen: 'initech' })).toEqual({ state: 'sign_in' });
    expect(await ofUser({ subject: 'people.nobody' })).toEqual({ state: 'sign_in' });
  });

  it('must fulfil the policy of the organization', async () => {
    const { accounts, join, subject } = await open({ policy: 'required' });
    await join('globex');
    const ofUser = (members: object) => accounts.organizations.ofUser({ subject, ...members });
    expect(await ofUser(passwordOnly)).toEqual({ state: 'sign_in' });
    expect(await ofUser({})).toEqual({ state: 'sign_in' });
    expect(await ofUser({ acr: 'urn:carnet:2fa' })).toEqual({ state: 'done', organization: 'globex' });
  });
});

describe('a sign-in with a passkey', () => {
  it('a passkey signs in a member, and no other user', async () => {
    const { accounts, subject, join } = await open();
    await join('globex');
    const passkey = createAuthenticator({ origin: 'https://login.example.com', rpId: 'example.com' });
    const owner = { subject };
    const enrolment = await accounts.factors.passkeyOptions({ owner });
    await accounts.factors.passkey({
      owner,
      challenge: enrolment.challenge,
      response: passkey.register(enrolment.options),
    });
    const by = async (organization: string) => {
      const { options, challenge } = await accounts.signIn.passkeyOptions({ binding });
      return accounts.signIn.passkey({ binding, challenge, response: passkey.signIn(options), organization });
    };
    expect(await by('globex')).toMatchObject({ state: 'done', organization: 'globex' });
    expect(await by('acme')).toEqual({ state: 'not_member' });
  });
});

describe('an organization', () => {
  it('a client of an organization finds no other one', async () => {
    const { accounts } = await open();
    const find = (organization: string, clientId?: string) => accounts.organizations.find({ organization, clientId });
    expect(await find('acme')).toMatchObject({ ...shown[0], brand: {} });
    expect(await find('unknown')).toBeUndefined();
    expect(await find('acme', 'erp')).toMatchObject({ name: 'acme' });
    expect(await find('globex', 'erp')).toBeUndefined();
  });
});

describe('a code by email', () => {
  it('a code by email is for the user whom the directories of the organization know by the login name', async () => {
    const database = await databases.createUrl('sqlite');
    const claims = { email: 'bob@example.com', email_verified: true };
    const acme = await fileDirectory('acme', 'acme.', { logins: ['bob'], claims });
    const globex = await fileDirectory('globex', 'globex.', { logins: ['bob'], claims });
    const organizations = organizationsOf(
      { name: 'acme', displayName: 'Acme', directories: ['acme'] },
      { name: 'globex', displayName: 'Globex', directories: ['globex'] },
    );
    const { accounts, mailbox } = await openWithMail(database, {
      emailSignIn: { enabled: true },
      directories: [acme, globex, ...testOptions().directories],
      organizations,
    });
    const circumstances = { binding, organization: 'globex' };
    const requested = await accounts.signIn.requestEmailCode({ login: 'bob', ...circumstances });
    const progress = 'progress' in requested ? requested.progress : '';
    const code = /^\d{6}$/m.exec((await mailAt(mailbox, 0)).text)?.[0] ?? '';
    const entered = { progress, code, binding };
    expect(await accounts.signIn.emailCode({ ...entered, organization: 'acme' })).toEqual({ state: 'refused' });
    expect(await accounts.signIn.emailCode({ ...entered, ...circumstances })).toMatchObject({
      state: 'done',
      subject: 'globex.u1',
      organization: 'globex',
    });
  });
});
