import type { Accounts, FactorOwner, ShownFactor } from '@carnet/accounts';
import type { ReactElement } from 'react';
import { Caution } from '../page/caution.tsx';
import { Button, Field, Form, type FormTarget, Submit } from '../page/form.tsx';
import { Page } from '../page/page.tsx';
import { ProblemMessage } from '../page/problem-message.tsx';
import type { View } from '../page/view.ts';
import { ceremonyResult } from '../passkeys/ceremony-result.ts';
import { PasskeyForm } from '../passkeys/passkey-form.tsx';
import { Problem } from '../problem.ts';
import { QrCode } from './qr-code.tsx';

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

const grouped = (secret: string): string => secret.replaceAll(/(.{4})(?=.)/g, '$1 ');

interface Authenticator {
  readonly enrolment: string;
  /** The `otpauth:` URI of the new factor. */
  readonly uri: string;
}

/** The page that shows the secret of a new authenticator app, and asks for a code from it. */
const authenticatorPage = (enrolling: Enrolling, authenticator: Authenticator, message?: string): EnrolmentResult => {
  const { view } = enrolling;
  const { enrolment } = view.text;
  const { uri } = authenticator;
  const page = (
    <Page view={view} title={enrolment.appTitle} text={enrolment.scan}>
      <ProblemMessage message={message} field="code" />
      <QrCode text={uri} label={enrolment.qrCode} />
      <p>{enrolment.secret}</p>
      <p className="secret">
        <code id="secret" dir="ltr">
          {grouped(new URL(uri).searchParams.get('secret') ?? '')}
        </code>
      </p>
      <Form {...withFields(enrolling, { step: 'confirm', ...authenticator })}>
        <Field
          name="code"
          label={enrolment.code}
          hint={enrolment.codeHint}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={16}
          className="code digits"
          isWrong={message !== undefined}
        />
        <Submit label={enrolment.confirm}>
          <Button id="back" label={enrolment.back} name="step" value="choose" isPlain formNoValidate />
        </Submit>
      </Form>
    </Page>
  );
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

/** The page that creates a passkey. */
const passkeyPage = async (enrolling: Enrolling, form: URLSearchParams, message?: string): Promise<EnrolmentResult> => {
  const { accounts, owner, view } = enrolling;
  const ceremony = await accounts.factors.passkeyOptions({ owner });
  const target = withFields(enrolling, { step: 'passkey-result', label: labelIn(form), response: undefined });
  const { passkeys, enrolment } = view.text;
  const page = (
    <Page view={view} title={passkeys.addTitle} text={passkeys.addText}>
      <ProblemMessage message={message} field="use-passkey" />
      <Caution isWithoutPasskeys>{passkeys.needsScript}</Caution>
      <PasskeyForm
        target={target}
        ceremony={ceremony}
        kind="create"
        button={passkeys.create}
        failure={passkeys.notCreated}
      />
      <Form {...enrolling.target} className="second">
        <Submit id="back" label={enrolment.back} name="step" value="choose" isPlain />
      </Form>
    </Page>
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
