import { createVerify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { certificates } from './certificates.ts';
import { callback, openSaml, ourEntityId, secret, state } from './open-saml.ts';
import { requestIn, ssoUrl } from './saml-provider.ts';

const email = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';

describe('the request', () => {
  it('leads to the single sign-on service, with the callback, our entity ID and the state', async () => {
    const { begin } = await openSaml();
    const url = await begin();
    const { attribute, xml, relayState } = requestIn(url);
    expect(url.startsWith(`${ssoUrl}?`)).toBe(true);
    expect(attribute('AssertionConsumerServiceURL')).toBe(callback);
    expect(xml).toContain(`>${ourEntityId}</saml:Issuer>`);
    expect(xml).toContain('nameid-format:persistent');
    expect(relayState).toBe(state);
    expect(xml).not.toContain('RequestedAuthnContext');
    expect(xml).not.toContain('ForceAuthn');
  });

  it('the request is signed with the configured key, in SHA-256', async () => {
    const { key: privateKey, cert: certificate } = certificates.carnet;
    const { begin } = await openSaml({ privateKey, certificate });
    const query = new URL(await begin()).search.slice(1);
    const [signed = '', signature = ''] = query.split('&Signature=');
    expect(new URLSearchParams(query).get('SigAlg')).toBe('http://www.w3.org/2001/04/xmldsig-more#rsa-sha256');
    const verifier = createVerify('sha256').update(signed);
    expect(verifier.verify(certificate, decodeURIComponent(signature), 'base64')).toBe(true);
  });

  it.each([{ prompt: 'login' }, { maxAge: 60 }])('for %o the provider must ask the user again', async (members) => {
    const { provider } = await openSaml();
    const { attribute } = requestIn(await provider.authorizationUrl({ callback, state, secret, ...members }));
    expect(attribute('ForceAuthn')).toBe('true');
  });

  it('asks for the authentication context of a class that the configuration maps', async () => {
    const { provider } = await openSaml({ contexts: { 'urn:carnet:2fa': 'https://refeds.org/profile/mfa' } });
    const acrValues = ['urn:carnet:2fa', 'urn:other'];
    const { xml } = requestIn(await provider.authorizationUrl({ callback, state, secret, acrValues }));
    expect(xml).toContain('>https://refeds.org/profile/mfa</saml:AuthnContextClassRef>');
    expect(xml).not.toContain('urn:other');
  });
});

describe('the answer', () => {
  it('signs in a user by the persistent NameID, with the usual attributes', async () => {
    const { by } = await openSaml();
    expect(await by()).toEqual({
      outcome: 'verified',
      user: {
        subject: 'ada-7f3a',
        claims: { name: 'Ada Lovelace' },
        mapped: {},
        email: 'ada@corp.example',
        emailVerified: false,
        acr: undefined,
        amr: [],
        isFresh: true,
        authTime: expect.any(Number),
      },
    });
  });

  it.each([
    ['short names', { givenName: ['Ada'], sn: ['Lovelace'], uid: ['ada'] }],
    ['object identifiers', { 'urn:oid:2.5.4.42': ['Ada'], 'urn:oid:2.5.4.4': ['Lovelace'], uid: ['ada'] }],
  ])('reads the name from %s', async (_title, attributes) => {
    const { by } = await openSaml();
    const claims = { name: 'Ada Lovelace', given_name: 'Ada', family_name: 'Lovelace', preferred_username: 'ada' };
    expect(await by({ attributes })).toMatchObject({ user: { claims } });
  });

  it('maps attributes to claims, and one that the provider no longer has to null', async () => {
    const { by } = await openSaml({ claims: { groups: 'groups', department: 'department' } });
    expect(await by()).toMatchObject({
      user: {
        claims: { groups: ['staff', 'admins'] },
        mapped: { groups: ['staff', 'admins'], department: null },
      },
    });
  });

  it('verifies the address if the provider gives out the addresses of its domain, or if an attribute says so', async () => {
    const authority = await openSaml({ isAuthorityFor: ['corp.example'] });
    expect(await authority.by()).toMatchObject({ user: { emailVerified: true } });
    const foreign = { attributes: { mail: ['ada@other.example'] } };
    expect(await authority.by(foreign)).toMatchObject({ user: { emailVerified: false } });
    const stated = await openSaml({ claims: { email_verified: 'verified' } });
    const verified = { attributes: { mail: ['ada@other.example'], verified: ['true'] } };
    expect(await stated.by(verified)).toMatchObject({ user: { emailVerified: true } });
  });

  it('takes no address and no transient NameID as subject, unless the configuration names another one', async () => {
    const { by } = await openSaml();
    const transient = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';
    for (const nameIdFormat of [email, transient])
      expect(await by({ nameIdFormat })).toEqual({ outcome: 'failed', reason: 'no_subject' });
    const byEmail = await openSaml({ nameIdFormat: 'emailAddress' });
    expect(await byEmail.by({ nameIdFormat: email, nameId: 'ada@corp.example' })).toMatchObject({
      user: { subject: 'ada@corp.example' },
    });
    const byAttribute = await openSaml({ nameIdFormat: 'unspecified', subjectAttribute: 'oid' });
    expect(await byAttribute.by({ nameIdFormat: transient, attributes: { oid: ['4711'] } })).toMatchObject({
      user: { subject: '4711' },
    });
    expect(await byAttribute.by()).toEqual({ outcome: 'failed', reason: 'no_subject' });
  });

  it('reports the class of a mapped authentication context', async () => {
    const context = 'https://refeds.org/profile/mfa';
    const { by } = await openSaml({ contexts: { 'urn:carnet:2fa': context } });
    expect(await by({ context })).toMatchObject({ user: { acr: 'urn:carnet:2fa' } });
    expect(await by()).toMatchObject({ user: { acr: undefined } });
  });
});
