import { decodeAttestationObject, isoBase64URL, isoCBOR } from '@simplewebauthn/server/helpers';
import { describe, expect, it } from 'vitest';
import { createSecondFactors } from '../../src/second-factors/index.ts';
import { openTestFactors, subject } from './open-test-factors.ts';
import { type AuthenticatorOptions, createAuthenticator } from './software-authenticator.ts';

const rp = { origin: 'https://login.example.com', rpId: 'example.com' };
const binding = 'login challenge';

const ada = { subject, account: 'ada', displayName: 'Ada' };

type Opened = ReturnType<typeof openTestFactors>;

const enrol = async ({ factors }: Opened, options: Partial<AuthenticatorOptions> = {}, of = subject) => {
  const authenticator = createAuthenticator({ ...rp, ...options });
  const request = await factors.passkeyEnrolmentOptions({ ...ada, subject: of });
  const response = authenticator.register(request.options);
  const enrolled = await factors.enrolPasskey({ subject: of, challenge: request.challenge, response, label: 'Laptop' });
  return { authenticator, request, response, enrolled };
};

/** Second factors in which a user has enrolled a passkey. */
const openEnrolled = async (options: Partial<AuthenticatorOptions> = {}) => {
  const opened = openTestFactors();
  return { opened, ...(await enrol(opened, options)) };
};

const signIn = async ({ factors }: Opened, authenticator: ReturnType<typeof createAuthenticator>, of?: string) => {
  const { options, challenge } = await factors.passkeyOptions({ binding, subject: of });
  return factors.verifyPasskey({ binding, challenge, response: authenticator.signIn(options), subject: of });
};

/** The same second factors, whose store notes each write. */
const observed = ({ deps }: Opened) => {
  const writes: string[] = [];
  const noting =
    <Arguments extends unknown[], Result>(name: string, write: (...args: Arguments) => Result) =>
    (...args: Arguments): Result => {
      writes.push(name);
      return write(...args);
    };
  const { store } = deps;
  const noted = {
    ...store,
    add: noting('add', store.add),
    update: noting('update', store.update),
    claim: noting('claim', store.claim),
  };
  return { writes, factors: createSecondFactors({ ...deps, store: noted }) };
};

describe('the enrolment of a passkey', () => {
  it('asks for a discoverable passkey with user verification, of three algorithms, under a random handle', async () => {
    const { opened, request, enrolled, authenticator } = await openEnrolled();
    expect(request.options).toMatchObject({
      rp: { id: 'example.com', name: 'Example' },
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ alg, type: 'public-key' })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
      excludeCredentials: [],
    });
    const { id: handle } = request.options.user as { id: string };
    expect(Buffer.from(handle, 'base64url')).toHaveLength(32);
    expect(enrolled).toEqual({
      outcome: 'enrolled',
      factor: {
        id: authenticator.id,
        kind: 'passkey',
        label: 'Laptop',
        createdAt: opened.clock.now,
        lastUsedAt: undefined,
      },
      verified: { kind: 'passkey', id: authenticator.id, isSynced: false },
    });
    const second = await enrol(opened);
    expect(second.request.options).toMatchObject({
      user: { id: handle },
      excludeCredentials: [{ id: authenticator.id, transports: ['internal'] }],
    });
  });

  it('never reads the certificates of an attestation, whose revocation lists would be fetched', async () => {
    const { factors } = openTestFactors();
    const { options, challenge } = await factors.passkeyEnrolmentOptions(ada);
    const sent = createAuthenticator(rp).register(options) as { response: { attestationObject: string } };
    const object = decodeAttestationObject(isoBase64URL.toBuffer(sent.response.attestationObject));
    const certificate = new Uint8Array([1, 2, 3]);
    const attested = new Map<string, string | Uint8Array<ArrayBuffer> | Map<string, Uint8Array<ArrayBuffer>[]>>([
      ['fmt', 'android-key'],
      ['attStmt', new Map([['x5c', [certificate, certificate]]])],
      ['authData', object.get('authData')],
    ]);
    const attestationObject = isoBase64URL.fromBuffer(isoCBOR.encode(attested));
    const response = { ...sent, response: { ...sent.response, attestationObject } };
    expect(await factors.enrolPasskey({ subject, challenge, response })).toMatchObject({ outcome: 'enrolled' });
  });

  it('accepts a challenge once, for the same user, for 10 minutes', async () => {
    const { opened, request, response } = await openEnrolled();
    const again = { subject, challenge: request.challenge, response };
    expect(await opened.factors.enrolPasskey(again)).toEqual({ outcome: 'expired' });
    const next = await opened.factors.passkeyEnrolmentOptions(ada);
    const answer = createAuthenticator(rp).register(next.options);
    const foreign = { subject: 'people.43', challenge: next.challenge, response: answer };
    expect(await opened.factors.enrolPasskey(foreign)).toEqual({ outcome: 'expired' });
    opened.clock.now += 600_000;
    const late = { subject, challenge: next.challenge, response: answer };
    expect(await opened.factors.enrolPasskey(late)).toEqual({ outcome: 'expired' });
  });

  it.each([
    ['without user verification', { isUserVerified: false }, 'User verification'],
    ['of another origin', { origin: 'https://login.example.org' }, 'origin'],
    ['of another relying party', { rpId: 'example.org' }, 'RP ID'],
    ['of a page in a frame of another site', { clientData: { crossOrigin: true } }, 'frame'],
    ['whose client data names the site around the page', { clientData: { topOrigin: 'https://example.org' } }, 'frame'],
    ['with a credential id above 1,023 bytes', { idSizeBytes: 1024 }, '1,023'],
  ])('refuses a passkey %s, and says why', async (_title, options, reason) => {
    const { opened, enrolled } = await openEnrolled(options);
    expect(enrolled).toEqual({ outcome: 'not_verified', reason: expect.stringContaining(reason) });
    expect(await opened.factors.list(subject)).toEqual([]);
  });

  it('accepts a credential id of 1,023 bytes, and the sign-in with it', async () => {
    const { opened, authenticator, enrolled } = await openEnrolled({ idSizeBytes: 1023 });
    expect(enrolled).toMatchObject({ outcome: 'enrolled' });
    expect(await signIn(opened, authenticator)).toMatchObject({ outcome: 'accepted' });
  });

  it('writes nothing for a refused answer, and then accepts the right one for the same challenge', async () => {
    const opened = openTestFactors();
    const { writes, factors } = observed(opened);
    const request = await factors.passkeyEnrolmentOptions(ada);
    const enrolWith = (options: Partial<AuthenticatorOptions>) => {
      const response = createAuthenticator({ ...rp, ...options }).register(request.options);
      return factors.enrolPasskey({ subject, challenge: request.challenge, response });
    };
    expect(await enrolWith({ isUserVerified: false })).toMatchObject({ outcome: 'not_verified' });
    expect(writes).toEqual([]);
    expect(await enrolWith({})).toMatchObject({ outcome: 'enrolled' });
    expect(writes).toEqual(['claim', 'add']);
  });

  it('refuses a passkey that another user has', async () => {
    const { opened, authenticator } = await openEnrolled();
    const request = await opened.factors.passkeyEnrolmentOptions({ ...ada, subject: 'people.43' });
    const response = authenticator.register(request.options);
    const input = { subject: 'people.43', challenge: request.challenge, response };
    expect(await opened.factors.enrolPasskey(input)).toEqual({ outcome: 'already_registered' });
  });
});

describe('a sign-in with a passkey', () => {
  it('finds the user, without a login name', async () => {
    const { opened, authenticator } = await openEnrolled();
    const { options } = await opened.factors.passkeyOptions({ binding });
    expect(options).toMatchObject({ rpId: 'example.com', userVerification: 'required' });
    expect(await signIn(opened, authenticator)).toEqual({
      outcome: 'accepted',
      subject,
      verified: { kind: 'passkey', id: authenticator.id, isSynced: false },
    });
    expect(await opened.factors.list(subject)).toMatchObject([{ lastUsedAt: opened.clock.now }]);
  });

  it('a second factor accepts the passkeys of this user alone', async () => {
    const { opened, authenticator } = await openEnrolled();
    const { options } = await opened.factors.passkeyOptions({ binding, subject });
    expect(options.allowCredentials).toMatchObject([{ id: authenticator.id }]);
    expect(await signIn(opened, authenticator, subject)).toMatchObject({ outcome: 'accepted' });
    expect(await signIn(opened, authenticator, 'people.43')).toMatchObject({ outcome: 'refused' });
  });

  it('accepts a challenge once, for the same login challenge, for 10 minutes', async () => {
    const { opened, authenticator } = await openEnrolled();
    const attempt = async (passMs: number, of = binding) => {
      const { options, challenge } = await opened.factors.passkeyOptions({ binding });
      const response = authenticator.signIn(options);
      opened.clock.now += passMs;
      const verify = () => opened.factors.verifyPasskey({ binding: of, challenge, response });
      return (await Promise.all(Array.from({ length: 20 }, verify))).map(({ outcome }) => outcome).toSorted();
    };
    const expired = (count: number) => Array.from({ length: count }, () => 'expired');
    expect(await attempt(0)).toEqual(['accepted', ...expired(19)]);
    expect(await attempt(0, 'another login challenge')).toEqual(expired(20));
    expect(await attempt(600_000)).toEqual(expired(20));
  });

  it.each([
    ['a changed signature', { signature: 'MEUCIQ' }],
    ['the user handle of another user', { userHandle: 'AAAA' }],
    ['a malformed answer', { authenticatorData: 7 }],
    ['no answer', { clientDataJSON: undefined }],
  ])('refuses %s', async (_title, changes) => {
    const { opened, authenticator } = await openEnrolled();
    const { options, challenge } = await opened.factors.passkeyOptions({ binding });
    const response = authenticator.signIn(options, changes);
    expect(await opened.factors.verifyPasskey({ binding, challenge, response })).toMatchObject({ outcome: 'refused' });
  });

  it.each([{}, { id: 7 }, { id: 'unknown' }, { id: 'unknown', response: null }])('refuses %j', async (response) => {
    const opened = openTestFactors();
    const { challenge } = await opened.factors.passkeyOptions({ binding });
    expect(await opened.factors.verifyPasskey({ binding, challenge, response })).toMatchObject({ outcome: 'refused' });
  });

  it('a sign-in without a login name needs the user handle, which a second factor may omit', async () => {
    const { opened, authenticator } = await openEnrolled();
    const signInAs = async (of: string | undefined, userHandle: null | undefined) => {
      const { options, challenge } = await opened.factors.passkeyOptions({ binding, subject: of });
      const response = authenticator.signIn(options, { userHandle });
      return opened.factors.verifyPasskey({ binding, challenge, response, subject: of });
    };
    const refused = { outcome: 'refused', reason: expect.stringContaining('user handle') };
    expect(await signInAs(undefined, undefined)).toEqual(refused);
    expect(await signInAs(undefined, null)).toEqual(refused);
    expect(await signInAs(subject, undefined)).toMatchObject({ outcome: 'accepted' });
  });

  it.each([{ crossOrigin: true }, { topOrigin: 'https://example.org' }])(
    'a page in a frame of another site is refused: %j',
    async (clientData) => {
      const { opened, authenticator } = await openEnrolled();
      authenticator.changeClientData(clientData);
      const refused = { outcome: 'refused', reason: expect.stringContaining('frame') };
      expect(await signIn(opened, authenticator)).toEqual(refused);
    },
  );

  it('writes nothing for a refused answer, and then accepts the right one for the same challenge, once', async () => {
    const { opened, authenticator } = await openEnrolled();
    const { writes, factors } = observed(opened);
    const { options, challenge } = await factors.passkeyOptions({ binding });
    const verify = (changes = {}) =>
      factors.verifyPasskey({ binding, challenge, response: authenticator.signIn(options, changes) });
    for (const changes of [{ signature: 'MEUCIQ' }, { userHandle: 'AAAA' }, { clientDataJSON: undefined }]) {
      expect(await verify(changes)).toMatchObject({ outcome: 'refused' });
    }
    expect(writes).toEqual([]);
    expect(await verify()).toMatchObject({ outcome: 'accepted' });
    expect(writes).toEqual(['claim', 'update']);
    expect(await verify()).toEqual({ outcome: 'expired' });
  });

  it('a passkey without user verification is refused', async () => {
    const { opened, authenticator } = await openEnrolled();
    authenticator.skipUserVerification();
    const reason = expect.stringContaining('User verification');
    expect(await signIn(opened, authenticator)).toEqual({ outcome: 'refused', reason });
  });

  it('another origin is refused, and the reason names both origins', async () => {
    const { opened, authenticator } = await openEnrolled();
    const rpElsewhere = { id: 'example.com', name: 'Example', origins: ['https://accounts.example.com'] };
    const factors = createSecondFactors({ ...opened.deps, rp: rpElsewhere });
    const verdict = await signIn({ ...opened, factors }, authenticator);
    const reason = expect.stringMatching(/login\.example\.com.*accounts\.example\.com/);
    expect(verdict).toEqual({ outcome: 'refused', reason });
  });

  it('compares counters of an authenticator that counts', async () => {
    const { opened, authenticator } = await openEnrolled({ counts: true });
    expect(await signIn(opened, authenticator)).toMatchObject({ outcome: 'accepted' });
    expect(await signIn(opened, authenticator)).toMatchObject({ outcome: 'accepted' });
    authenticator.rewind();
    expect(await signIn(opened, authenticator)).toEqual({
      outcome: 'refused',
      reason: expect.stringContaining('counter value'),
    });
  });

  it('a policy without a relying party offers no passkeys, and users who have one are not asked for it', async () => {
    const opened = openTestFactors({ rp: undefined });
    await expect(opened.factors.passkeyOptions({ binding })).rejects.toThrow('Passkeys are off');
    await expect(opened.factors.passkeyEnrolmentOptions(ada)).rejects.toThrow('Passkeys are off');

    const { factors, deps } = openTestFactors();
    await enrol({ ...opened, factors });
    const without = createSecondFactors({ ...deps, rp: undefined });
    expect(await without.next(subject, [{ kind: 'password' }], {})).toMatchObject({ step: 'done' });
  });
});

describe('the next step of a sign-in', () => {
  it('depends on the confirmed factors of the user', async () => {
    const opened = openTestFactors();
    const next = () => opened.factors.next(subject, [{ kind: 'password' }], {});
    expect(await next()).toEqual({ step: 'done', acr: 'urn:carnet:1fa', amr: ['pwd'] });
    const { enrolled } = await enrol(opened);
    expect(await next()).toEqual({ step: 'factor', kinds: ['passkey'] });
    if (enrolled.outcome !== 'enrolled') throw new Error('not enrolled');
    expect(await opened.factors.next(subject, [{ kind: 'password' }, enrolled.verified], {})).toMatchObject({
      step: 'done',
      acr: 'phr',
    });
  });
});
