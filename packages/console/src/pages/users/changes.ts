import { CarnetError } from '@carnet/provider';
import { usersMessages } from '../../messages/users/index.ts';
import { html } from '../../page/html.ts';
import { userPath } from '../../page/ids.ts';
import { type Answer, type PageContext, type PageRoute, page, redirect } from '../../page/route.ts';
import type { ConsoleServer } from '../../server/console-server.ts';
import { typedToDelete } from './change-forms.ts';

type Users = NonNullable<ConsoleServer['users']>;
interface Which {
  readonly subject: string;
}

const usersOf = ({ server }: PageContext): Users => {
  if (server.users === undefined) throw new CarnetError('not_found', 'No users are configured.');
  return server.users;
};

interface Change {
  /** The last segment of the path. */
  readonly path: string;
  /** In the audit record: `console.user.<verb>`. */
  readonly verb: string;
  readonly make: (users: Users, which: Which, form: URLSearchParams) => Promise<unknown>;
  /** An email was sent. */
  readonly sends?: true;
}

const changes: readonly Change[] = [
  { path: 'disable', verb: 'disable', make: (users, which) => users.disable(which) },
  { path: 'enable', verb: 'enable', make: (users, which) => users.update({ ...which, state: 'active' }) },
  { path: 'unlock', verb: 'unlock', make: (users, which) => users.unlock(which) },
  { path: 'end-sessions', verb: 'endSessions', make: (users, which) => users.endSessions(which) },
  { path: 'reset-factors', verb: 'resetFactors', make: (users, which) => users.resetFactors(which) },
  {
    path: 'unlink',
    verb: 'unlinkIdentity',
    make: (users, which, form) => users.unlinkIdentity({ ...which, id: form.get('id') ?? '' }),
  },
  { path: 'invite', verb: 'invite', make: (users, which) => users.invite(which), sends: true },
  { path: 'recover', verb: 'sendRecovery', make: (users, which) => users.sendRecovery(which), sends: true },
];

const routeOf = ({ path, verb, make, sends }: Change): PageRoute => ({
  method: 'POST',
  path: `/users/:subject/${path}`,
  role: 'operator',
  async answer(context) {
    const { subject = '' } = context.params;
    await make(usersOf(context), { subject }, context.form);
    context.audit(`console.user.${verb}`, { subject });
    return redirect(context.link(userPath(subject), { sent: sends && '1' }));
  },
});

const deleteUser = async (context: PageContext): Promise<Answer> => {
  const { params, form, language, link, audit } = context;
  const { subject = '' } = params;
  const texts = usersMessages(language);
  const users = usersOf(context);
  const user = await users.get({ subject });
  if (form.get('login') !== typedToDelete(user)) {
    const back = html`<p><a href="${link(userPath(subject))}">${texts.back}</a></p>`;
    return page(texts.remove, html`<p role="alert">${texts.notTyped}</p>${back}`, 400);
  }
  // The version: a user who has another login name since then is another one for the operator.
  await users.delete({ subject, ifVersion: user.version });
  audit('console.user.delete', { subject });
  return redirect(link('/users'));
};

export const changeRoutes: readonly PageRoute[] = [
  ...changes.map(routeOf),
  { method: 'POST', path: '/users/:subject/delete', role: 'operator', answer: deleteUser },
];
