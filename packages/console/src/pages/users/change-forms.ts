import { fill } from '../../messages/fill.ts';
import { usersMessages } from '../../messages/users/index.ts';
import { changeForm, confirmedForm, textField } from '../../page/form.ts';
import { type Html, html } from '../../page/html.ts';
import { userPath } from '../../page/ids.ts';
import type { PageContext } from '../../page/route.ts';
import type { ConsoleServer } from '../../server/console-server.ts';

type ManagedUser = Awaited<ReturnType<NonNullable<ConsoleServer['users']>['get']>>;

/** The text that an operator types to delete the user: a login name, or the subject of a user without one. */
export const typedToDelete = ({ logins, subject }: Pick<ManagedUser, 'logins' | 'subject'>): string =>
  logins[0] ?? subject;

/** The changes of a user. Those of the accounts database have a `version`; other directories are read-only. */
export const userChanges = (context: PageContext, user: ManagedUser): Html => {
  const { language, link } = context;
  const texts = usersMessages(language);
  const to = (change: string): string => link(`${userPath(user.subject)}/${change}`);
  const confirmed = (change: string, summary: string, warning: string, fields?: Html): Html =>
    confirmedForm(context, { action: to(change), summary, warning, ...(fields !== undefined && { fields }) });
  const own = user.subject === context.operator.subject ? ` ${texts.ownUser}` : '';
  const isLocal = user.version !== undefined;
  const isActive = user.state === 'active';
  const login = typedToDelete(user);
  const typed = textField({ name: 'login', label: fill(texts.typeLogin, { login }), required: true });
  return html`<h2>${texts.changes}</h2>
${isLocal ? '' : html`<p>${texts.readOnly}</p>`}
${isLocal && user.state === 'disabled' ? changeForm(to('enable'), texts.enable) : ''}
${changeForm(to('unlock'), texts.unlock)}<p><small>${texts.unlockHint}</small></p>
${isLocal && isActive && user.hasPassword === false ? changeForm(to('invite'), texts.invite) : ''}
${isLocal && isActive ? changeForm(to('recover'), texts.recover) : ''}
${confirmed('end-sessions', texts.endSessions, texts.endSessionsWarning)}
${confirmed('reset-factors', texts.resetFactors, texts.resetFactorsWarning)}
${isLocal && user.state !== 'disabled' ? confirmed('disable', texts.disable, texts.disableWarning + own) : ''}
${isLocal ? confirmed('delete', texts.remove, texts.removeWarning + own, typed) : ''}`;
};
