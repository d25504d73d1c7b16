import type { ProviderSignIn, ShownProvider } from '@carnet/accounts/client';
import type { ReactNode } from 'react';
import { signInUrl } from '../factors/sign-in-step.ts';
import type { Messages } from '../messages/en.ts';
import type { Open } from '../page/flow.ts';
import { Form, issueForm, Submit } from '../page/form.tsx';
import { LinkLine } from '../page/link-line.tsx';
import { Page } from '../page/page.tsx';
import { respond } from '../page/respond.ts';
import { Strong } from '../page/strong.tsx';
import { CancelForm } from './cancel-form.tsx';
import { offeredProviders } from './offered.ts';

type State = Extract<ProviderSignIn['state'], 'denied' | 'provider_failed' | 'unknown_user'>;

const textsOf = ({ providers, retry, login }: Messages, state: State, label: ReactNode) =>
  ({
    denied: { title: providers.deniedTitle, text: providers.denied(label), button: retry },
    provider_failed: { title: providers.failedTitle, text: providers.failed(label), button: retry },
    unknown_user: { title: providers.unknownTitle, text: providers.unknown(label), button: login.useAnother },
  })[state];

/**
 * The page of a sign-in at a provider that signed no user in. The user can begin there again, or sign in in another way. The
 * status is 401 for an outage of the provider, too: 5xx would report one of this site.
 */
export const respondNotSignedIn = async (
  open: Open<'login'>,
  provider: ShownProvider,
  state: State,
): Promise<Response> => {
  const { services, request, challenge, view } = open;
  const { title, text, button } = textsOf(view.text, state, <Strong>{provider.label}</Strong>);
  // With its session at the provider, the user would come back with the same account.
  const hidden = { provider: provider.name, account: state === 'unknown_user' ? 'other' : undefined };
  const { target, cookie } = issueForm(services, request, challenge, {
    action: signInUrl(challenge, '/provider'),
    hidden,
  });
  const { only } = await offeredProviders(open);
  const page = (
    <Page view={view} title={title} text={text}>
      <Form {...target}>
        <Submit label={button} />
      </Form>
      {only === undefined && (
        <LinkLine id="start-again" href={signInUrl(challenge)} label={view.text.providers.otherWay} isFine />
      )}
      <CancelForm view={view} challenge={challenge} token={target.token} />
    </Page>
  );
  return respond(view, page, { status: 401, cookie });
};
