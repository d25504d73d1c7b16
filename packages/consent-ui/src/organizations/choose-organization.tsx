import type { ShownOrganization } from '@carnet/accounts/client';
import { type SignInStep, signInUrl, stepForm } from '../factors/sign-in-step.ts';
import type { Open } from '../page/flow.ts';
import { Form, issueForm } from '../page/form.tsx';
import { LinkLine } from '../page/link-line.tsx';
import { Page } from '../page/page.tsx';
import { respond } from '../page/respond.ts';
import { UserCard } from '../page/user-card.tsx';

const page = '/organization';

/** The page of a member of several organizations. Without a step, the user continues a remembered login. */
export const respondOrganizations = (
  open: Open<'login'>,
  organizations: readonly ShownOrganization[],
  step?: SignInStep,
): Promise<Response> => {
  const { services, request, challenge, view } = open;
  const { title, text } = view.text.organizations;
  const action = signInUrl(challenge, page);
  const { target, cookie } = step
    ? stepForm(open, page, step)
    : issueForm(services, request, challenge, { action, hidden: {} });
  const content = (
    <Page view={view} title={title} text={text}>
      {step && <UserCard {...step.user} />}
      <Form {...target}>
        <ul className="accounts">
          {organizations.map(({ name, displayName }) => (
            <li key={name}>
              <button type="submit" className="plain" name="organization" value={name}>
                <i aria-hidden="true">{[...displayName][0]?.toUpperCase()}</i>
                <span>
                  <bdi>{displayName}</bdi>
                </span>
              </button>
            </li>
          ))}
        </ul>
      </Form>
      {step && <LinkLine id="start-again" href={signInUrl(challenge)} label={view.text.factors.startAgain} isFine />}
    </Page>
  );
  return respond(view, content, { cookie });
};
