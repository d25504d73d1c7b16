import { Caution } from '../page/caution.tsx';
import { Field, Form, type FormTarget } from '../page/form.tsx';
import { Page } from '../page/page.tsx';
import { ProblemMessage } from '../page/problem-message.tsx';
import { UserCard } from '../page/user-card.tsx';
import type { View } from '../page/view.ts';
import { type PasskeyCeremony, PasskeyForm } from '../passkeys/passkey-form.tsx';
import type { FactorKind, SignInStep } from './sign-in-step.ts';

export interface FactorPageProps {
  readonly view: View;
  readonly step: SignInStep;
  readonly kind: FactorKind;
  readonly target: FormTarget;
  /** The target of a passkey's form, and its ceremony. */
  readonly passkey: { readonly target: FormTarget; readonly ceremony: PasskeyCeremony } | undefined;
  /** The URL of the sign-in page. */
  readonly startAgain: string;
  readonly message?: string | undefined;
}

/** The page that asks for a second factor. */
export function FactorPage({ view, step, kind, target, passkey, startAgain, message }: FactorPageProps) {
  const { factors } = view.text;
  return (
    <Page view={view} title={factors.title}>
      <h1>{factors.title}</h1>
      <p className="lead">{factors.prompts[kind]}</p>
      <UserCard {...step.user} />
      <ProblemMessage message={message} field={kind === 'passkey' ? 'use-passkey' : 'code'} />
      {kind === 'passkey' ? (
        passkey && <PasskeyFactor view={view} {...passkey} />
      ) : (
        <CodeForm view={view} kind={kind} target={target} isWrong={message !== undefined} />
      )}
      <OtherMethods view={view} kinds={step.kinds.filter((other) => other !== kind)} target={target} />
      <p className="fine">
        <a id="start-again" href={startAgain}>
          {factors.startAgain}
        </a>
      </p>
    </Page>
  );
}

interface CodeFormProps {
  readonly view: View;
  readonly kind: Exclude<FactorKind, 'passkey'>;
  readonly target: FormTarget;
  readonly isWrong: boolean;
}

function CodeForm({ view, kind, target, isWrong }: CodeFormProps) {
  const { factors } = view.text;
  const isOneTimeCode = kind === 'totp' || kind === 'hotp';
  return (
    <Form {...target} hidden={{ ...target.hidden, kind }}>
      <Field
        name="code"
        label={factors.labels[kind]}
        type={kind === 'pin' ? 'password' : 'text'}
        inputMode={isOneTimeCode ? 'numeric' : 'text'}
        autoComplete={isOneTimeCode ? 'one-time-code' : 'off'}
        maxLength={64}
        className={isOneTimeCode ? 'code digits' : kind === 'pin' ? undefined : 'code'}
        isWrong={isWrong}
        autoFocus
      />
      <div className="actions">
        <button id="accept" name="decision" value="accept" type="submit">
          {factors.confirm}
        </button>
      </div>
    </Form>
  );
}

function PasskeyFactor({ view, target, ceremony }: { readonly view: View } & NonNullable<FactorPageProps['passkey']>) {
  const { passkeys } = view.text;
  return (
    <>
      <Caution isWithoutPasskeys>{passkeys.needsScript}</Caution>
      <PasskeyForm target={target} ceremony={ceremony} kind="get" button={passkeys.use} failure={passkeys.failed} />
    </>
  );
}

interface OtherMethodsProps {
  readonly view: View;
  readonly kinds: readonly FactorKind[];
  readonly target: FormTarget;
}

function OtherMethods({ view, kinds, target }: OtherMethodsProps) {
  if (kinds.length === 0) return null;
  const { factors } = view.text;
  return (
    <section className="others">
      <h2>{factors.otherMethods}</h2>
      <Form {...target}>
        <div className="actions">
          {kinds.map((kind) => (
            <button key={kind} id={`use-${kind}`} name="choose" value={kind} type="submit" className="plain">
              {factors.kinds[kind]}
            </button>
          ))}
        </div>
      </Form>
    </section>
  );
}
