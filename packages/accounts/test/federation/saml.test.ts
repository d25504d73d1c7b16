import { describe, expect, it } from 'vitest';
import { certificates } from '../../../accounts-saml/test/certificates.ts';
import { signedAnswer } from '../../../accounts-saml/test/open-saml.ts';
import {
  type AnswerParts,
  answerTo,
  entityId,
  formOf,
  requestIn,
  ssoUrl,
} from '../../../accounts-saml/test/saml-provider.ts';
import { engines, providerOf, useDatabases } from '../open-test-accounts.ts';
import { binding, openFederation } from './open-federation.ts';

const databases = useDatabases();

const callback = 'https://login.example.com/login/provider/idp';
const saml = providerOf({
  ...{ kind: 'saml', name: 'idp', issuer: entityId, ssoUrl, signUp: 'automatic' },
  certificates: [certificates.provider.cert],
});

describe.each(engines)('a SAML provider in %s', (engine) => {
  const open = async () => {
    const { accounts, writes } = await openFederation({ database: await databases.createUrl(engine), others: [saml] });
    const begin = () => accounts.providers.begin({ provider: 'idp', binding, callback });
    /** The form of the provider, with the state that it got. */
    const formFor = (url: string, parts?: Partial<AnswerParts>): URLSearchParams => {
      const form = formOf(signedAnswer(answerTo(url, parts)));
      form.set('RelayState', requestIn(url).relayState);
      return form;
    };
    const finish = (form: URLSearchParams, cookie: string) =>
      accounts.providers.finish({ provider: 'idp', binding, callback, cookie, answer: form.toString() });
    return { accounts, writes, begin, finish, formFor };
  };

  it('signs in a new user, and the same one from then on', async () => {
    const { accounts, writes, begin, finish, formFor } = await open();
    const { url, cookie } = await begin();
    const form = formFor(url);
    const state = form.get('RelayState') ?? '';
    expect(await accounts.providers.read({ state })).toEqual({ binding, remember: false });
    expect(writes).toEqual([]);
    const first = await finish(form, cookie);
    expect(first).toMatchObject({ state: 'done', claims: { name: 'Ada Lovelace' } });
    // Besides the user and its identity, the id of the assertion is stored, so that it is used once.
    expect(writes).toEqual(['factors.claim', 'users.create']);
    const again = await begin();
    const subject = first.state === 'done' ? first.subject : '';
    expect(await finish(formFor(again.url), again.cookie)).toMatchObject({ state: 'done', subject });
  });

  it('signs in no user by an answer that was used, with the cookie of its browser too', async () => {
    const { begin, finish, formFor } = await open();
    const { url, cookie } = await begin();
    const form = formFor(url);
    const states = await Promise.all([finish(form, cookie), finish(form, cookie), finish(form, cookie)]);
    expect(states.map(({ state }) => state).sort()).toEqual(['done', 'provider_failed', 'provider_failed']);
  });

  it('signs in no user in another browser, with the answer of another flow, or with the state in another parameter', async () => {
    const { begin, finish, formFor } = await open();
    const [own, other] = [await begin(), await begin()];
    const form = formFor(own.url);
    expect(await finish(form, other.cookie)).toEqual({ state: 'expired' });
    const swapped = formFor(other.url);
    swapped.set('RelayState', requestIn(own.url).relayState);
    expect(await finish(swapped, own.cookie)).toEqual({ state: 'provider_failed' });
    const renamed = new URLSearchParams({ SAMLResponse: form.get('SAMLResponse') ?? '' });
    renamed.set('state', requestIn(own.url).relayState);
    expect(await finish(renamed, own.cookie)).toEqual({ state: 'expired' });
    expect(await finish(form, own.cookie)).toMatchObject({ state: 'done' });
  });

  it('gets the metadata of Carnet, for a callback of the login app only', async () => {
    const { accounts } = await open();
    const found = await accounts.providers.metadata({ provider: 'idp', callback });
    expect(found?.xml).toContain(`entityID="${callback}/metadata"`);
    const oidc = callback.replace('idp', 'corp');
    expect(await accounts.providers.metadata({ provider: 'corp', callback: oidc })).toBeUndefined();
    const foreign = accounts.providers.metadata({ provider: 'idp', callback: 'https://evil.example/idp' });
    await expect(foreign).rejects.toMatchObject({ code: 'foreign_link' });
    const unknown = accounts.providers.metadata({ provider: 'other', callback });
    await expect(unknown).rejects.toMatchObject({ code: 'not_supported' });
  });
});
