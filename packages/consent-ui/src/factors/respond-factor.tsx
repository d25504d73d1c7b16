import { Caution } from '../page/caution.tsx';
import type { Open } from '../page/flow.ts';
import { Button, Field, Form, type FormTarget, Submit } from '../page/form.tsx';
import { LinkLine } from '../page/link-line.tsx';
import { Page } from '../page/page.tsx';
import { ProblemMessage } from '../page/problem-message.tsx';
import { respond } from '../page/respond.ts';
import { UserCard } from '../page/user-card.tsx';
import type { View } from '../page/view.ts';
import { PasskeyForm } from '../passkeys/passkey-form.tsx';
import { contextOf, type FactorKind, type SignInStep, signInUrl, stepForm } from './sign-in-step.ts';

interface FormProps {
  readonly view: View;
  readonly target: FormTarget;
}

/** The form of a code. The button `choose` of a code by email requests another one. */
export function CodeForm(
  props: FormProps & { readonly kind: Exclude<FactorKind, 'passkey'>; readonly isWrong: boolean },
) {
  const { view, target, kind, isWrong } = props;
  const { factors } = view.text;
  const isOneTimeCode = kind === 'totp' || kind === 'hotp' || kind === 'email';
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
      <Submit label={factors.confirm} name="decision" value="accept">
        {kind === 'email' && (
          <Button id="send-code" label={factors.sendNewCode} name="choose" value="email" isPlain formNoValidate />
        )}
      </Submit>
    </Form>
  );
}

function OtherMethods({ view, kinds, target }: FormProps & { readonly kinds: readonly FactorKind[] }) {
  if (kinds.length === 0) return null;
  const { factors } = view.text;
  return (
    <section className="others">
      <h2>{factors.otherMethods}</h2>
      <Form {...target}>
        <div className="actions">
          {kinds.map((kind) => (
            <Button key={kind} id={`use-${kind}`} label={factors.kinds[kind]} name="choose" value={kind} isPlain />
          ))}
        </div>
      </Form>
    </section>
  );
}

const preference: readonly FactorKind[] = ['passkey', 'totp', 'hotp', 'email', 'pin', 'recovery_code'];

/** The kind that the user chose; by default the first one of `preference` that the user has. */
export const chosenKind = ({ kinds }: Pick<SignInStep, 'kinds'>, choice?: FactorKind): FactorKind =>
  [choice, ...preference].find((kind) => kind !== undefined && kinds.includes(kind)) ?? 'recovery_code';

interface Shown {
  readonly step: SignInStep;
  readonly kind: FactorKind;
  readonly message?: string;
  /** Seconds after which the user can try again what was refused. */
  readonly retryAfterSeconds?: number;
}

/** The form of a passkey as the second factor. */
const passkeyForm = async (open: Open<'login'>, { progress }: SignInStep, ofStep: FormTarget) => {
  const { passkeys } = open.view.text;
  const target = { ...ofStep, action: signInUrl(open.challenge, '/passkey') };
  const ceremony = await open.services.accounts.signIn.passkeyOptions({ ...contextOf(open), progress });
  return (
    <>
      <Caution isWithoutPasskeys>{passkeys.needsScript}</Caution>
      <PasskeyForm target={target} ceremony={ceremony} kind="get" button={passkeys.use} failure={passkeys.failed} />
    </>
  );
};

/** The page that asks for a second factor of this kind. */
export const respondFactor = async (
  open: Open<'login'>,
  { step, kind: chosen, message, retryAfterSeconds }: Shown,
): Promise<Response> => {
  const { challenge, view } = open;
  const { factors } = view.text;
  const { target, cookie } = stepForm(open, '/factor', step);
  const isWrong = message !== undefined;
  const form =
    chosen === 'passkey' ? (
      await passkeyForm(open, step, target)
    ) : (
      <CodeForm view={view} kind={chosen} target={target} isWrong={isWrong} />
    );
  const page = (
    <Page view={view} title={factors.title} text={factors.prompts[chosen]}>
      <UserCard {...step.user} />
      <ProblemMessage message={message} field={chosen === 'passkey' ? 'use-passkey' : 'code'} />
      {form}
      <OtherMethods view={view} kinds={step.kinds.filter((other) => other !== chosen)} target={target} />
      <LinkLine id="start-again" href={signInUrl(challenge)} label={factors.startAgain} isFine />
    </Page>
  );
  const status = retryAfterSeconds === undefined ? 401 : 429;
  return respond(view, page, { status: isWrong ? status : 200, cookie, retryAfterSeconds });
};
