import { describe, expect, it } from 'vitest';
import type { FactorKind } from '../store.ts';
import { assuranceOf } from './acr.ts';
import { nextStep, policyOf } from './next-step.ts';
import type { Policy, PolicySettings, SignInContext, VerifiedFactor } from './settings.ts';

const settings: PolicySettings = {
  default: 'optional',
  kinds: ['totp', 'hotp', 'recovery_code', 'passkey'],
  realms: { staff: 'required', robots: 'none' },
  clients: { bank: 'phishing_resistant', blog: 'none' },
  organizations: { acme: 'required', globex: 'none' },
};
const withDefault = (policy: Policy): PolicySettings => ({ ...settings, default: policy });

const verifiedOf = (...kinds: readonly VerifiedFactor['kind'][]): readonly VerifiedFactor[] =>
  kinds.map((kind) => ({ kind }));
const password = verifiedOf('password');

describe('the policy', () => {
  it.each([
    [{}, 'optional'],
    [{ realm: 'staff' }, 'required'],
    [{ realm: 'robots' }, 'none'],
    [{ realm: 'unknown' }, 'optional'],
    [{ clientId: 'bank' }, 'phishing_resistant'],
    [{ realm: 'staff', clientId: 'blog' }, 'required'],
    [{ realm: 'robots', clientId: 'bank' }, 'phishing_resistant'],
    [{ organization: 'acme' }, 'required'],
    [{ organization: 'globex' }, 'optional'],
    [{ clientId: 'bank', organization: 'acme' }, 'phishing_resistant'],
    [{ realm: 'staff', organization: 'globex' }, 'required'],
    [{ realm: 'constructor', clientId: 'constructor', organization: 'constructor' }, 'optional'],
  ] satisfies [SignInContext, Policy][])('of %j is %s', (context, expected) => {
    expect(policyOf(settings, context)).toBe(expected);
  });
});

describe('the next step', () => {
  const after = (
    policy: Policy,
    enrolled: readonly FactorKind[],
    verified: readonly VerifiedFactor[] = password,
    context: SignInContext = {},
  ): string => {
    const next = nextStep(withDefault(policy), enrolled, verified, context);
    if (next.step === 'done') return `done ${next.acr}`;
    if (next.step === 'refused') return 'refused';
    return next.step === 'factor' ? `factor ${next.kinds}` : `enrol ${next.kinds} ${next.required}`;
  };

  it.each([
    ['none', ['totp'], 'done urn:carnet:1fa'],
    ['optional', [], 'done urn:carnet:1fa'],
    ['optional', ['totp', 'recovery_code'], 'factor totp,recovery_code'],
    ['required', ['totp'], 'factor totp'],
    ['required', [], 'enrol totp,hotp,passkey true'],
    ['phishing_resistant', [], 'enrol passkey true'],
    ['phishing_resistant', ['passkey', 'recovery_code'], 'factor passkey'],
    // The password alone must not enrol a passkey beside a factor that there is.
    ['phishing_resistant', ['totp'], 'factor totp'],
    // Recovery codes replace a factor; alone they are none. A PIN is accepted only if the settings list it.
    ['required', ['recovery_code'], 'enrol totp,hotp,passkey true'],
    ['required', ['pin'], 'enrol totp,hotp,passkey true'],
    // A code by email is accepted only if the settings list it.
    ['required', ['email'], 'enrol totp,hotp,passkey true'],
  ] satisfies [Policy, FactorKind[], string][])(
    'after a password, by %s, with %j enrolled: %s',
    (...[policy, enrolled, expected]) => {
      expect(after(policy, enrolled)).toBe(expected);
    },
  );

  it.each([
    ['required', ['totp'], ['password', 'totp'], 'done urn:carnet:2fa'],
    ['required', ['passkey'], ['passkey'], 'done phr'],
    ['none', ['passkey'], ['passkey'], 'done phr'],
    ['optional', ['totp', 'passkey'], ['passkey'], 'done phr'],
    ['required', ['totp', 'recovery_code'], ['password', 'recovery_code'], 'done urn:carnet:2fa'],
    ['phishing_resistant', ['totp'], ['password', 'totp'], 'enrol passkey true'],
    ['phishing_resistant', ['totp', 'passkey'], ['password', 'totp'], 'factor passkey'],
    ['phishing_resistant', ['passkey'], ['password', 'passkey'], 'done phr'],
  ] satisfies [Policy, FactorKind[], VerifiedFactor['kind'][], string][])(
    'sign-in by %s, with %j enrolled, after %j: %s',
    (policy, enrolled, verified, expected) => {
      expect(after(policy, enrolled, verifiedOf(...verified))).toBe(expected);
    },
  );

  it('accepts a PIN that the settings list, as one factor', () => {
    const withPin: PolicySettings = { ...withDefault('required'), kinds: ['pin', 'totp'] };
    expect(nextStep(withPin, ['pin'], password, {})).toEqual({ step: 'factor', kinds: ['pin'] });
    const verified = verifiedOf('password', 'pin');
    expect(nextStep(withPin, ['pin'], verified, {})).toEqual({
      step: 'done',
      acr: 'urn:carnet:1fa',
      amr: ['pwd', 'pin'],
    });
    const stepUp = { acrValues: ['urn:carnet:2fa'] };
    expect(nextStep(withPin, ['pin'], verified, stepUp)).toEqual({ step: 'enrol', kinds: ['totp'], required: true });
  });

  it('enrols nothing after a PIN for a user who has more than a PIN', () => {
    const withPin: PolicySettings = { ...withDefault('required'), kinds: ['pin', 'totp', 'passkey'] };
    const stepUp = { acrValues: ['phr'] };
    const next = nextStep(withPin, ['pin', 'totp'], verifiedOf('password', 'pin'), stepUp);
    expect(next).toEqual({ step: 'factor', kinds: ['totp'] });
  });

  it('begins with a password, a code by email, a passkey or a provider', () => {
    for (const verified of [[], verifiedOf('totp')])
      expect(() => after('none', ['totp'], verified)).toThrow(
        'begins with the password, a code by email, a passkey or a provider',
      );
  });

  it.each([
    ['none', [], 'done urn:carnet:1fa'],
    ['optional', ['email'], 'done urn:carnet:1fa'],
    ['optional', ['email', 'totp'], 'factor totp'],
    ['required', ['email'], 'enrol totp,hotp,passkey true'],
    ['phishing_resistant', ['email'], 'enrol passkey true'],
  ] satisfies [Policy, FactorKind[], string][])(
    'after a code by email in place of the password, by %s, with %j enrolled: %s',
    (policy, enrolled, expected) => {
      const withEmail: PolicySettings = { ...withDefault(policy), kinds: [...settings.kinds, 'email'] };
      const next = nextStep(withEmail, enrolled, verifiedOf('mailbox'), {});
      const kinds = 'kinds' in next ? ` ${next.kinds}` : '';
      const shown =
        next.step === 'done' ? ` ${next.acr}` : `${kinds}${next.step === 'enrol' ? ` ${next.required}` : ''}`;
      expect(`${next.step}${shown}`).toBe(expected);
    },
  );

  it.each([
    [['urn:carnet:2fa'], ['totp'], 'factor totp'],
    [['urn:carnet:2fa'], [], 'enrol totp,hotp,passkey true'],
    [['phr'], ['totp', 'passkey'], 'factor passkey'],
    [['phr', 'urn:carnet:2fa'], ['totp', 'passkey'], 'factor totp,passkey'],
    [['phr', 'urn:carnet:1fa'], ['passkey'], 'done urn:carnet:1fa'],
    [['urn:example:gold'], ['totp'], 'done urn:carnet:1fa'],
  ] satisfies [string[], FactorKind[], string][])(
    'acr_values %j with %j enrolled: %s',
    (acrValues, enrolled, expected) => {
      expect(after('none', enrolled, password, { acrValues })).toBe(expected);
    },
  );

  it.each([
    ['none', ['totp'], 'factor totp'],
    ['none', [], 'refused'],
    ['required', [], 'refused'],
    ['optional', ['recovery_code'], 'refused'],
    ['phishing_resistant', ['totp'], 'factor totp'],
  ] satisfies [Policy, FactorKind[], string][])(
    'after an old sign-in at a provider, by %s, with %j enrolled: %s',
    (policy, enrolled, expected) => {
      expect(after(policy, enrolled, verifiedOf('provider'), { mustVerifyFactor: true })).toBe(expected);
    },
  );

  it.each([
    [['totp'], 'factor totp'],
    [[], 'done urn:carnet:1fa'],
  ] satisfies [FactorKind[], string][])(
    'a sign-in that links an identity, by none, with %j enrolled: %s',
    (enrolled, expected) => {
      expect(after('none', enrolled, password, { linksIdentity: true })).toBe(expected);
    },
  );

  it('never becomes laxer by acr_values', () => {
    expect(after('required', ['totp'], password, { acrValues: ['urn:carnet:1fa'] })).toBe('factor totp');
  });

  it('ignores a value that no factor can reach', () => {
    const withoutPasskeys: PolicySettings = { ...withDefault('none'), kinds: ['totp'] };
    expect(nextStep(withoutPasskeys, [], password, { acrValues: ['phr'] })).toMatchObject({ step: 'done' });
  });

  it('offers an enrolment once, if the settings say so', () => {
    const offering: PolicySettings = { ...settings, offersEnrolment: true };
    expect(nextStep(offering, [], password, {})).toMatchObject({ step: 'enrol', required: false });
    expect(nextStep(offering, [], password, { enrolmentSkipped: true })).toMatchObject({ step: 'done' });
    expect(nextStep(offering, [], password, { enrolmentSkipped: true, realm: 'staff' })).toMatchObject({
      step: 'enrol',
      required: true,
    });
  });
});

describe('acr and amr', () => {
  it.each([
    [[{ kind: 'password' }], 'urn:carnet:1fa', ['pwd']],
    [[{ kind: 'password' }, { kind: 'totp' }], 'urn:carnet:2fa', ['pwd', 'otp', 'mfa']],
    [[{ kind: 'password' }, { kind: 'recovery_code' }], 'urn:carnet:2fa', ['pwd', 'otp', 'mfa']],
    [[{ kind: 'passkey' }], 'phr', ['pop', 'user', 'hwk', 'mfa']],
    [[{ kind: 'password' }, { kind: 'passkey', isSynced: true }], 'phr', ['pwd', 'pop', 'user', 'swk', 'mfa']],
  ] satisfies [VerifiedFactor[], string, string[]][])('of %j are %s and %j', (verified, acr, amr) => {
    expect(assuranceOf(verified)).toEqual({ acr, amr });
  });
});

describe('a code by email', () => {
  const listed = { ...withDefault('required'), kinds: [...settings.kinds, 'email' as const] };
  const provider = verifiedOf('provider');

  it('a user without a device may enter it after the password, and no recovery code instead', () => {
    expect(nextStep(listed, ['email'], password, {})).toMatchObject({ step: 'factor', kinds: ['email'] });
    // An attacker who knows the password can have created the codes.
    expect(nextStep(listed, ['email', 'recovery_code'], password, {})).toMatchObject({ kinds: ['email'] });
    expect(nextStep(listed, ['email', 'totp'], password, {})).toMatchObject({ kinds: ['totp'] });
  });

  it('the code proves nothing after a sign-in at a provider, whose session may be as old as that of the mailbox', () => {
    expect(nextStep(listed, ['email'], provider, {})).toMatchObject({ step: 'enrol' });
    expect(nextStep(listed, ['email'], provider, { mustVerifyFactor: true })).toEqual({ step: 'refused' });
    expect(assuranceOf([...provider, ...verifiedOf('email')]).acr).toBe('urn:carnet:1fa');
    expect(assuranceOf([...password, ...verifiedOf('email')]).acr).toBe('urn:carnet:2fa');
  });
});
