import type { LinkedIdentity, ShownProvider } from '@carnet/accounts/client';
import { clientAddress } from '../http/client-address.ts';
import { respondNotice } from '../page/respond-notice.tsx';
import { Strong } from '../page/strong.tsx';
import { Problem } from '../problem.ts';
import { createAccountBinding } from '../providers/account-binding.ts';
import { choicePrompt } from '../providers/prompts.ts';
import { redirectToProvider } from '../providers/redirect-to-provider.ts';
import { accountClientId } from './account-client.ts';
import type { AccountContext } from './account-context.ts';
import { identitiesOf, providersOf } from './identities.tsx';
import { question } from './question.ts';
import { respondSaved } from './saved.ts';

const parameter = ({ request }: AccountContext, name: string): string | null =>
  new URL(request.url).searchParams.get(name);

/**
 * /account/providers/add?provider=...: redirects to a provider, whose answer links an identity to the user.
 *
 * Safe against a page of another site that begins it because of the token of the form, and against a thief of an old session
 * because the page needs a sign-in in the last five minutes.
 */
export const addIdentity = question({
  find: async (context): Promise<ShownProvider> => {
    const name = parameter(context, 'provider');
    const provider = (await providersOf(context)).find((each) => each.name === name);
    if (provider === undefined) throw new Problem('invalid_link');
    return provider;
  },
  ask: ({ providers }, { label }) => ({
    title: providers.connect(label),
    text: providers.connectText(<Strong>{label}</Strong>),
    button: providers.continueWith(label),
  }),
  act: ({ services, request, view, login }, provider) => {
    const input = {
      binding: createAccountBinding(),
      clientId: accountClientId,
      address: clientAddress(request, services.settings.trustedProxyHops),
      provider: provider.name,
      subject: login.subject,
      uiLocales: view.language,
      // The user may have several accounts at the provider.
      prompt: choicePrompt(provider),
    };
    return redirectToProvider(services, request, input, login.subject);
  },
});

/** /account/providers/remove?id=...: removes an identity, unless the user could not sign in any more. */
export const removeIdentity = question({
  find: async (context): Promise<LinkedIdentity> => {
    const id = parameter(context, 'id');
    const identity = (await identitiesOf(context)).find((each) => each.id === id);
    if (identity === undefined) throw new Problem('invalid_link');
    return identity;
  },
  ask: ({ account }, { label }) => ({
    title: account.remove,
    heading: account.removeTitle(<Strong>{label}</Strong>),
    text: account.removeText,
    button: account.remove,
  }),
  act: async ({ accounts, login, view }, { id }) => {
    const result = await accounts.providers.unlink({ subject: login.subject, id, language: view.language });
    if (result.ok) return respondSaved('providers');
    if (result.error === 'not_found') throw new Problem('invalid_link');
    const { account, providers } = view.text;
    const action = { id: 'back', label: account.back, href: '/account' };
    const notice = { title: providers.lastWayTitle, text: providers.lastWay, action };
    return respondNotice(view, notice, { status: 409 });
  },
});
