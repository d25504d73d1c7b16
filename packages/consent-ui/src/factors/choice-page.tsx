import { Field, Form, type FormTarget, Submit } from '../page/form.tsx';
import { LinkLine } from '../page/link-line.tsx';
import { Page } from '../page/page.tsx';
import { UserCard, type UserCardProps } from '../page/user-card.tsx';
import type { View } from '../page/view.ts';
import type { FactorKind } from './sign-in-step.ts';

/** The kinds that a user can enrol without an administrator and without another factor. */
const enrolledKinds = ['totp', 'passkey', 'hotp'] as const satisfies FactorKind[];

export interface ChoicePageProps {
  readonly view: View;
  readonly text: string;
  readonly user?: UserCardProps;
  readonly kinds: readonly FactorKind[];
  readonly target: FormTarget;
  /** Whether the user may continue without a second factor. */
  readonly canSkip?: boolean;
  /** Whether this is a page of the account, where the user may name the factor. */
  readonly isOfAccount?: boolean;
}

/** The page on which the user chooses which factor to add. */
export function ChoicePage({ view, text, user, kinds, target, canSkip, isOfAccount }: ChoicePageProps) {
  const { account, enrolment, factors } = view.text;
  return (
    <Page view={view} title={enrolment.title} text={text}>
      {user && <UserCard {...user} />}
      <Form {...target}>
        {isOfAccount && (
          <Field name="label" label={enrolment.name} hint={enrolment.nameHint} maxLength={100} isOptional />
        )}
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
        {canSkip && <Submit id="skip" label={enrolment.skip} name="step" value="skip" isPlain />}
      </Form>
      {isOfAccount && <LinkLine id="back" href="/account" label={account.back} isFine />}
    </Page>
  );
}
