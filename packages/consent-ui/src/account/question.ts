import type { Messages } from '../messages/en.ts';
import type { AccountContext, AccountPage } from './account-context.ts';
import { type FormPage, respondForm } from './account-page.tsx';

/** A page that asks whether to do something, and does it. */
interface Question<Target> {
  /** Finds the thing that the question is about. @throws Problem `invalid_link` if the user has no such thing */
  find(context: AccountContext): Target | Promise<Target>;
  ask(texts: Messages, target: Target): Omit<FormPage, 'problem'>;
  act(context: AccountContext, target: Target): Promise<Response>;
}

export const question = <Target>({ find, ask, act }: Question<Target>): AccountPage => ({
  isFresh: true,
  show: async (context) => respondForm(context, ask(context.view.text, await find(context))),
  submit: async (context) => act(context, await find(context)),
});
