import type { Accounts, FactorOwner, ShownFactor } from '@carnet/accounts';
import type { ReactElement } from 'react';
import type { FormTarget } from '../page/form.tsx';
import type { View } from '../page/view.ts';
import { AddPasskeyPage } from '../passkeys/add-passkey-page.tsx';
import { ceremonyResult } from '../passkeys/ceremony-result.ts';
import { Problem } from '../problem.ts';
import { AuthenticatorPage } from './authenticator-page.tsx';

export interface Enrolling {
  readonly accounts: Pick<Accounts, 'factors' | 'settings'>;
  readonly owner: FactorOwner;
  readonly view: View;
  /** The target of every form of the enrolment. */
  readonly target: FormTarget;
}

/** The next page of the enrolment, or its end. `progress` replaces the progress of the sign-in. */
export type EnrolmentResult =
  | { readonly state: 'page'; readonly page: ReactElement; readonly status?: number }
  | { readonly state: 'enrolled'; readonly factor: ShownFactor; readonly progress?: string | undefined }
  | { readonly state: 'expired' }
  | { readonly state: 'limited' };

const withFields = ({ target }: Enrolling, fields: Readonly<Record<string, string | undefined>>): FormTarget => ({
  ...target,
  hidden: { ...target.hidden, ...fields },
});

const labelIn = (form: URLSearchParams): string | undefined => form.get('label')?.trim().slice(0, 100) || undefined;

interface Authenticator {
  readonly enrolment: string;
  readonly uri: string;
}

const authenticatorPage = (enrolling: Enrolling, authenticator: Authenticator, message?: string): EnrolmentResult => {
  const target = withFields(enrolling, { step: 'confirm', ...authenticator });
  const page = <AuthenticatorPage view={enrolling.view} target={target} uri={authenticator.uri} message={message} />;
  return { state: 'page', page, status: message === undefined ? 200 : 400 };
};

const begin = async (enrolling: Enrolling, kind: 'totp' | 'hotp', form: URLSearchParams): Promise<EnrolmentResult> => {
  const { accounts, owner, view } = enrolling;
  const { enrolment, uri } = await accounts.factors.begin({
    owner,
    kind,
    label: labelIn(form),
    issuer: view.brand.name.slice(0, 100),
  });
  return authenticatorPage(enrolling, { enrolment, uri });
};

const confirm = async (enrolling: Enrolling, form: URLSearchParams): Promise<EnrolmentResult> => {
  const [enrolment = '', uri = ''] = [form.get('enrolment') ?? '', form.get('uri') ?? ''];
  // The form returns the URI only to display it again. The stored secret comes from the sealed enrolment.
  if (enrolment === '' || !uri.startsWith('otpauth://') || !URL.canParse(uri)) throw new Problem('invalid_form');
  const code = (form.get('code') ?? '').replaceAll(/\s/g, '').slice(0, 16);
  const texts = enrolling.view.text.enrolment;
  if (code === '') return authenticatorPage(enrolling, { enrolment, uri }, texts.wrongCode);
  const result = await enrolling.accounts.factors.confirm({
    owner: enrolling.owner,
    enrolment,
    code,
    language: enrolling.view.language,
  });
  if (result.ok) return { state: 'enrolled', factor: result.factor, progress: result.progress };
  if (result.error !== 'wrong_code') return { state: result.error };
  return authenticatorPage(enrolling, { enrolment, uri }, texts.wrongCode);
};

const passkeyPage = async (enrolling: Enrolling, form: URLSearchParams, message?: string): Promise<EnrolmentResult> => {
  const { accounts, owner, view } = enrolling;
  const ceremony = await accounts.factors.passkeyOptions({ owner });
  const target = withFields(enrolling, { step: 'passkey-result', label: labelIn(form), response: undefined });
  const page = (
    <AddPasskeyPage view={view} target={target} back={enrolling.target} ceremony={ceremony} message={message} />
  );
  return { state: 'page', page, status: message === undefined ? 200 : 400 };
};

const addPasskey = async (enrolling: Enrolling, form: URLSearchParams): Promise<EnrolmentResult> => {
  const { accounts, owner, view } = enrolling;
  const result = await accounts.factors.passkey({
    owner,
    ...ceremonyResult(form),
    label: labelIn(form),
    language: view.language,
  });
  if (result.ok) return { state: 'enrolled', factor: result.factor, progress: result.progress };
  const { known, notCreated } = view.text.passkeys;
  return passkeyPage(enrolling, form, result.error === 'already_registered' ? known : notCreated);
};

/** Handles a form of the enrolment. @throws Problem `invalid_form` */
export const enrol = (enrolling: Enrolling, form: URLSearchParams): Promise<EnrolmentResult> => {
  const step = form.get('step');
  switch (step) {
    case 'totp':
    case 'hotp':
      return begin(enrolling, step, form);
    case 'confirm':
      return confirm(enrolling, form);
    case 'passkey':
      return passkeyPage(enrolling, form);
    case 'passkey-result':
      return addPasskey(enrolling, form);
    default:
      throw new Problem('invalid_form');
  }
};

/** Whether the user has just enrolled the first factor, and gets recovery codes with it. */
export const needsRecoveryCodes = async ({
  accounts,
  owner,
}: Pick<Enrolling, 'accounts' | 'owner'>): Promise<boolean> => {
  const [{ factorKinds: kinds }, { factors }] = await Promise.all([
    accounts.settings(),
    accounts.factors.list({ owner }),
  ]);
  return kinds.includes('recovery_code') && !factors.some(({ kind }) => kind === 'recovery_code');
};
