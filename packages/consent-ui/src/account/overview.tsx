import { Form } from '../page/form.tsx';
import { Page } from '../page/page.tsx';
import { respond } from '../page/respond.ts';
import { UserCard } from '../page/user-card.tsx';
import type { AccountContext, AccountPage } from './account-context.ts';
import { targetOf } from './account-page.tsx';
import { FactorSections } from './factor-sections.tsx';
import { OverviewSection } from './overview-section.tsx';
import { savedParameter } from './saved.ts';
import { Applications, Sessions } from './session-sections.tsx';

const emailOf = ({ profile }: AccountContext): string | undefined => {
  const { email } = profile.claims;
  return typeof email === 'string' ? email : undefined;
};

const userAgentOf = ({ request }: AccountContext): string => request.headers.get('user-agent') ?? '';

function Profile({ context }: { readonly context: AccountContext }) {
  const { account, newEmail } = context.view.text;
  const { user, can } = context.profile;
  const email = emailOf(context);
  return (
    <OverviewSection id="profile" title={account.profile}>
      <dl className="facts">
        <dt>{account.name}</dt>
        <dd>{user?.name}</dd>
        {email && (
          <>
            <dt>{account.email}</dt>
            <dd>{email}</dd>
          </>
        )}
      </dl>
      {can.editProfile && (
        <p>
          <a id="edit-profile" href="/account/profile">
            {account.edit}
          </a>
        </p>
      )}
      {can.changeEmail && (
        <p>
          <a id="change-email" href="/account/email">
            {newEmail.title}
          </a>
        </p>
      )}
    </OverviewSection>
  );
}

function Password({ context }: { readonly context: AccountContext }) {
  const { account } = context.view.text;
  return (
    <OverviewSection id="password" title={account.password}>
      {context.profile.can.changePassword ? (
        <p>
          <a id="change-password" href="/account/password">
            {account.changePassword}
          </a>
        </p>
      ) : (
        <p className="lead">{account.passwordElsewhere}</p>
      )}
    </OverviewSection>
  );
}

const show = async (context: AccountContext): Promise<Response> => {
  const { accounts, services, view, login, profile, sessions } = context;
  const { account } = view.text;
  const owner = { subject: login.subject };
  const [{ factors }, { factorKinds: kinds }, clients] = await Promise.all([
    accounts.factors.list({ owner }),
    accounts.settings(),
    services.sessionsApi.clients(login.subject),
  ]);
  const { target, cookie } = targetOf(context);
  const isSaved = new URL(context.request.url).searchParams.has(savedParameter);
  const page = (
    <Page view={view} title={account.title} isWide>
      <h1>{account.title}</h1>
      {isSaved && (
        <p className="notice" id="saved" role="status">
          {account.saved}
        </p>
      )}
      <UserCard name={profile.user?.name ?? login.subject} detail={profile.user?.detail} />
      <div className="overview">
        <Profile context={context} />
        <Password context={context} />
        <FactorSections view={view} factors={factors} kinds={kinds} />
        {sessions && <Sessions view={view} sessions={sessions} login={login} userAgent={userAgentOf(context)} />}
        <Applications view={view} clients={clients} />
        <OverviewSection id="data" title={account.data} text={account.exportText}>
          <p>
            <a id="export" href="/account/export">
              {account.export}
            </a>
          </p>
          {profile.can.deleteAccount && (
            <p>
              <a id="delete-account" href="/account/delete">
                {view.text.deletion.link}
              </a>
            </p>
          )}
        </OverviewSection>
      </div>
      <Form {...target} action="/account/sign-out" id="sign-out-form">
        <div className="actions">
          <button id="sign-out" type="submit" className="plain">
            {account.signOut}
          </button>
        </div>
      </Form>
    </Page>
  );
  return respond(view, page, { cookie });
};

/** /account: everything that the user can see and change. */
export const overview: AccountPage = { isFresh: false, show };
