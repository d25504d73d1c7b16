import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createCookieJar } from '../../src/flow/cookies.ts';
import { createEnvelope } from '../../src/flow/envelope.ts';
import * as flowId from '../../src/flow/flow-id.ts';
import { createKeyRing } from '../../src/flow/key-ring.ts';
import { createLogoutTokens } from '../../src/flow/logout-tokens.ts';
import { type MacPurpose, macPurposes, type Purpose, purposes } from '../../src/flow/purposes.ts';
import { decodeState } from '../../src/flow/state-codec.ts';

interface Sealed {
  readonly purpose: Purpose;
  readonly token: string;
  /** One of: the flow's state, a reference to a stored one, other text. */
  readonly state?: object;
  readonly reference?: Record<string, unknown>;
  readonly text?: string;
}

interface Fixture {
  readonly issuer: string;
  readonly secret: string;
  readonly now: number;
  readonly sealed: readonly Sealed[];
  readonly macs: readonly { purpose: MacPurpose; data: string; mac: string }[];
  readonly cookies: { flow: string; session: string; flowId: string; sid: string };
  readonly derived: Readonly<Record<string, string>>;
}

/** Sealed by an earlier commit, and never again: logins under way survive every upgrade, or this fails. */
const fixture = JSON.parse(readFileSync(new URL('../fixtures/sealed-v1.json', import.meta.url), 'utf8')) as Fixture;
const { issuer, secret, now, sealed, macs, cookies, derived } = fixture;
const keysWith = (...secrets: string[]) => createKeyRing({ issuer, secrets, now: () => now });
const envelope = createEnvelope(keysWith('a newer secret of the fixtures', secret));

/** Purposes that later releases have added. */
const added: ReadonlySet<Purpose> = new Set<Purpose>(['pushed_request']);
const addedMacs: ReadonlySet<MacPurpose> = new Set<MacPurpose>(['dpop_nonce']);

test('the fixture holds a token of every purpose of the first release', () => {
  expect(new Set(sealed.map(({ purpose }) => purpose))).toEqual(
    new Set(purposes.filter((purpose) => !added.has(purpose))),
  );
  expect(new Set(macs.map(({ purpose }) => purpose))).toEqual(
    new Set(macPurposes.filter((purpose) => !addedMacs.has(purpose))),
  );
});

/** The first release called the member `spilled`. Its name is not part of the token. */
const referenceOf = ({ spilled, ...reference }: Record<string, unknown>) => ({ isReference: spilled, ...reference });

test.each(sealed)(
  'a $purpose of the first release opens with the content that was sealed',
  ({ purpose, token, ...content }) => {
    const opened = envelope.open(purpose, token);
    if (opened === undefined) throw new Error('does not open');
    if (content.text !== undefined) expect(opened.toString()).toBe(content.text);
    else if (content.reference) expect(decodeState(opened)).toEqual(referenceOf(content.reference));
    else expect(decodeState(opened)).toEqual({ isReference: false, state: content.state });
  },
);

test('a logout of the first release is understood', () => {
  const tokens = createLogoutTokens(envelope, () => now);
  for (const purpose of ['logout_challenge', 'logout_verifier'] as const) {
    const { token, text = '' } = sealed.find((one) => one.purpose === purpose) as Sealed;
    expect(tokens.open(purpose, token)).toEqual({ status: 'open', state: JSON.parse(text) as object });
  }
});

test('the first release’s tokens open in no slot but their own', () => {
  for (const { purpose, token } of sealed) {
    expect(purposes.filter((slot) => envelope.open(slot, token) !== undefined)).toEqual([purpose]);
  }
});

test.each(macs)('the keyed hash of a $purpose is what it was', ({ purpose, data, mac }) => {
  expect(keysWith(secret).mac(purpose, data)).toBe(mac);
  expect(keysWith('a newer secret of the fixtures', secret).verifyMac(purpose, data, mac)).toBe(true);
});

test('the first release’s cookies still count', () => {
  const jar = createCookieJar({ keys: keysWith(secret), issuer: 'https://id.test' });
  expect(jar.flow.proves(cookies.flow, cookies.flowId)).toBe(true);
  expect(jar.session.read(cookies.session)).toBe(cookies.sid);
});

test('what a flow’s id makes of it is what it was, so that no upgrade opens it a second time', () => {
  // The consent request's is not among what could be opened twice: it has become the grant's, in another form. No record
  // has the id of a code.
  const { flowId: id = '', consentRequestId: _its, codeId: _code, ...ids } = derived;
  expect({
    grantId: flowId.grantIdOf({ id }),
    completionId: flowId.completionIdOf(id),
    sessionId: flowId.sessionIdOf(id),
    loginRequestId: flowId.loginRequestIdOf(id),
  }).toEqual(ids);
});
