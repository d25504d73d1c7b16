import type { OrganizationOfUser } from '@carnet/accounts/client';
import { redirectTarget } from '../api/redirect-target.ts';
import { requestParameter } from '../api/request-parameter.ts';
import { respondOrganizations } from '../organizations/choose-organization.tsx';
import { type Open, rejectLogin, respondDecided } from '../page/flow.ts';
import { seeOther } from '../page/respond.ts';
import { providerOfSession } from '../providers/provider-session.ts';

type Known = Open<'login'>;

/** The organization for which the remembered login continues. */
const organizationOf = async (open: Known, chosen: string | undefined): Promise<OrganizationOfUser> => {
  const { services, asked, organization } = open;
  const { accounts, sessionsApi } = services;
  if (!(await accounts.settings()).organizations) return { state: 'done' };
  const { subject, client } = asked;
  // How the user has signed in: an unknown session is treated as the weakest one.
  const sessions = await sessionsApi.sessions(subject);
  const session = sessions?.find(({ sid }) => sid === asked.session_id);
  return accounts.organizations.ofUser({
    ...{ subject, organization, chosen, clientId: client.client_id },
    acr: session?.acr ?? undefined,
    provider: providerOfSession(services, open.request, asked),
  });
};

const promptsOf = ({ asked }: Known): readonly string[] => requestParameter(asked, 'prompt')?.split(' ') ?? [];

/** Begins the request again, without the remembered login: the user signs in, perhaps as another user. */
const restart = ({ services, asked }: Known, prompts: readonly string[]): Response => {
  const url = new URL(redirectTarget(services.settings.issuer, asked.request_url ?? ''));
  url.searchParams.set('prompt', [...new Set([...prompts, 'login'])].join(' '));
  return seeOther(url.href);
};

/**
 * Accepts a remembered login. The user may have been disabled, locked or deleted since: the remembered logins then end, and
 * the request begins again with the sign-in form.
 *
 * Safe against the reuse of a login for another organization because the membership is checked at each request, also with
 * `prompt=none`: the session contains no organization.
 *
 * @param chosen the organization that the user has chosen
 */
export const acceptKnown = async (open: Known, chosen?: string): Promise<Response> => {
  const { services, challenge, asked, view } = open;
  const { api, accounts, sessionsApi, settings, formTokens } = services;
  if ((await accounts.account.show({ subject: asked.subject })).user === undefined) {
    await sessionsApi.endSessions(asked.subject);
    return seeOther(redirectTarget(settings.issuer, asked.request_url ?? ''));
  }
  const known = await organizationOf(open, chosen);
  const prompts = promptsOf(open);
  const isQuiet = prompts.includes('none');
  switch (known.state) {
    case 'sign_in':
      return isQuiet ? rejectLogin(open, 'login_required', 'The user has to sign in.') : restart(open, prompts);
    case 'choose_organization':
      return isQuiet
        ? rejectLogin(open, 'interaction_required', 'The user has to choose an organization.')
        : respondOrganizations(open, known.organizations);
    case 'done': {
      const { organization } = known;
      const context = organization !== undefined && { context: { organization } };
      const acceptance = {
        subject: asked.subject,
        remember: true,
        remember_for: settings.rememberForSeconds,
        ...context,
      };
      const cookie = chosen === undefined ? undefined : formTokens.clear(challenge);
      return respondDecided(view, 'login', await api.login.accept(challenge, acceptance), cookie);
    }
  }
};
