import { Form, issueForm, Submit } from '../page/form.tsx';
import { LinkLine } from '../page/link-line.tsx';
import { Page } from '../page/page.tsx';
import { respond } from '../page/respond.ts';
import { UserCard } from '../page/user-card.tsx';
import { type AccountContext, type AccountPage, accountFlow } from './account-context.ts';
import { FactorSections } from './factor-sections.tsx';
import { Identities, identitiesOf, providersOf } from './identities.tsx';
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
      {can.editProfile && <LinkLine id="edit-profile" href="/account/profile" label={account.edit} />}
      {can.changeEmail && <LinkLine id="change-email" href="/account/email" label={newEmail.title} />}
    </OverviewSection>
  );
}

function Password({ context }: { readonly context: AccountContext }) {
  const { account } = context.view.text;
  return (
    <OverviewSection id="password" title={account.password}>
      {context.profile.can.changePassword ? (
        <LinkLine id="change-password" href="/account/password" label={account.changePassword} />
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
  const [{ factors }, { factorKinds: kinds }, clients, identities, providers] = await Promise.all([
    accounts.factors.list({ owner }),
    accounts.settings(),
    services.sessionsApi.clients(login.subject),
    identitiesOf(context),
    providersOf(context),
  ]);
  const { target, cookie } = issueForm(services, context.request, accountFlow, { action: '/account/sign-out' });
  const isSaved = new URL(context.request.url).searchParams.has(savedParameter);
  const page = (
    <Page view={view} title={account.title} isWide>
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
        <Identities view={view} identities={identities} providers={providers} />
        {sessions && <Sessions view={view} sessions={sessions} login={login} userAgent={userAgentOf(context)} />}
        <Applications view={view} clients={clients} />
        <OverviewSection id="data" title={account.data} text={account.exportText}>
          <LinkLine id="export" href="/account/export" label={account.export} />
          {profile.can.deleteAccount && (
            <LinkLine id="delete-account" href="/account/delete" label={view.text.deletion.link} />
          )}
        </OverviewSection>
      </div>
      <Form {...target} id="sign-out-form">
        <Submit id="sign-out" label={account.signOut} isPlain />
      </Form>
    </Page>
  );
  return respond(view, page, { cookie });
};

/** /account: everything that the user can see and change. */
export const overview: AccountPage = { isFresh: false, show };
