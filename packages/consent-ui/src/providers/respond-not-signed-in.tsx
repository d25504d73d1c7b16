import type { ProviderSignIn, ShownProvider } from '@carnet/accounts/client';
import type { ReactNode } from 'react';
import { signInUrl } from '../factors/sign-in-step.ts';
import type { Messages } from '../messages/en.ts';
import type { Open } from '../page/flow.ts';
import { Form, issueForm, Submit } from '../page/form.tsx';
import { LinkLine } from '../page/link-line.tsx';
import { Page, type PageProps } from '../page/page.tsx';
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

interface ProviderForm extends Pick<PageProps, 'title' | 'text'> {
  readonly button: string;
  /** With its session at the provider, the user would come back with the same account. */
  readonly account?: 'other' | undefined;
  readonly status: 200 | 401;
}

/** A page with a form that leads to the provider. */
const respondProviderForm = async (
  open: Open<'login'>,
  { name }: ShownProvider,
  { title, text, button, account, status }: ProviderForm,
): Promise<Response> => {
  const { services, request, challenge, view } = open;
  const { target, cookie } = issueForm(services, request, challenge, {
    action: signInUrl(challenge, '/provider'),
    hidden: { provider: name, account },
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
  return respond(view, page, { status, cookie });
};

/**
 * The page of a sign-in at a provider that signed no user in. The user can begin there again, or sign in in another way. The
 * status is 401 for an outage of the provider, too: 5xx would report one of this site.
 */
export const respondNotSignedIn = (open: Open<'login'>, provider: ShownProvider, state: State): Promise<Response> => {
  const texts = textsOf(open.view.text, state, <Strong>{provider.label}</Strong>);
  return respondProviderForm(open, provider, {
    ...texts,
    account: state === 'unknown_user' ? 'other' : undefined,
    status: 401,
  });
};

/** The page before a redirect to the provider that the user must confirm. */
export const respondContinue = (open: Open<'login'>, provider: ShownProvider): Promise<Response> => {
  const { oneMoreStep: title, postAgain: text, continueWith } = open.view.text.providers;
  return respondProviderForm(open, provider, { title, text, button: continueWith(provider.label), status: 200 });
};
