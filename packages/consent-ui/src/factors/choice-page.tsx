import { Field, Form, type FormTarget } from '../page/form.tsx';
import { Page } from '../page/page.tsx';
import { UserCard, type UserCardProps } from '../page/user-card.tsx';
import type { View } from '../page/view.ts';
import type { FactorKind } from './sign-in-step.ts';

/** The kinds that a user can enrol without an administrator and without another factor. */
export type EnrolledKind = Extract<FactorKind, 'totp' | 'hotp' | 'passkey'>;

const enrolledKinds: readonly EnrolledKind[] = ['totp', 'passkey', 'hotp'];

export interface ChoicePageProps {
  readonly view: View;
  readonly title: string;
  readonly text: string;
  readonly user?: UserCardProps;
  readonly kinds: readonly FactorKind[];
  readonly target: FormTarget;
  /** Whether the user may name the factor. */
  readonly withName?: boolean;
  /** Whether the user may continue without a second factor. */
  readonly canSkip?: boolean;
  readonly back?: { readonly href: string; readonly label: string };
}

/** The page on which the user chooses which factor to add. */
export function ChoicePage({ view, title, text, user, kinds, target, withName, canSkip, back }: ChoicePageProps) {
  const { enrolment, factors } = view.text;
  return (
    <Page view={view} title={title}>
      <h1>{title}</h1>
      <p className="lead">{text}</p>
      {user && <UserCard {...user} />}
      <Form {...target}>
        {withName && <Field name="label" label={enrolment.name} hint={enrolment.nameHint} maxLength={100} isOptional />}
        <div className="choices">
          {enrolledKinds
            .filter((kind) => kinds.includes(kind))
            .map((kind) => (
              <button key={kind} id={`add-${kind}`} name="step" value={kind} type="submit" className="plain choice">
                {factors.kinds[kind]}
                <small>{enrolment.choices[kind]}</small>
              </button>
            ))}
        </div>
        {canSkip && (
          <div className="actions">
            <button id="skip" name="step" value="skip" type="submit" className="plain">
              {enrolment.skip}
            </button>
          </div>
        )}
      </Form>
      {back && (
        <p className="fine">
          <a id="back" href={back.href}>
            {back.label}
          </a>
        </p>
      )}
    </Page>
  );
}
