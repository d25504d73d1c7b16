import { commonMessages } from '../../messages/common/index.ts';
import { usersMessages } from '../../messages/users/index.ts';
import { dateTime } from '../../page/dates.ts';
import { choice, searchForm, textField } from '../../page/form.ts';
import { html } from '../../page/html.ts';
import { userPath } from '../../page/ids.ts';
import { needsSection } from '../../page/needs-section.ts';
import { pageQueryIn, pager } from '../../page/pager.ts';
import { type Answer, type PageContext, page } from '../../page/route.ts';
import { table } from '../../page/table.ts';
import { type FoundUsers, findUsers, type UserState } from './find-users.ts';

const states: readonly UserState[] = ['active', 'disabled', 'locked'];

const stateIn = (query: URLSearchParams): UserState | undefined => states.find((state) => state === query.get('state'));

const nameOf = ({ claims, logins, subject }: FoundUsers['users'][number]): string =>
  typeof claims.name === 'string' && claims.name.trim() !== '' ? claims.name : (logins[0] ?? subject);

const userTable = ({ language, link }: PageContext, { users }: FoundUsers) => {
  const { columns, caption, states: stateTexts } = usersMessages(language);
  return table({
    caption,
    columns: Object.values(columns),
    rows: users.map((user) => [
      html`<a href="${link(userPath(user.subject))}">${nameOf(user)}</a>`,
      user.logins.join(', '),
      user.directory,
      stateTexts[user.state],
      user.createdAt && dateTime(user.createdAt, language),
    ]),
    empty: commonMessages(language).empty,
  });
};

/** The users, or those that a text finds. */
export const listUsers = async (context: PageContext): Promise<Answer> => {
  const { server, query, language, link } = context;
  const texts = usersMessages(language);
  const common = commonMessages(language);
  if (server.users === undefined) return needsSection(context, common.nav.users, 'accounts');
  const text = query.get('q')?.trim() || undefined;
  const found = await findUsers(server.users, { text, state: stateIn(query), ...pageQueryIn(context) });
  const options = [['', texts.anyState] as const, ...states.map((each) => [each, texts.states[each]] as const)];
  const fields = html`${textField({ name: 'q', label: texts.find, type: 'search', value: text, hint: texts.findHint })}
${choice({ name: 'state', label: texts.state, value: stateIn(query), options })}`;
  return page(
    common.nav.users,
    html`${searchForm(link('/users'), fields, context)}
${found.isListed ? '' : html`<p>${texts.onlyByName}</p>`}
${userTable(context, found)}
${pager(context, '/users', found.next)}`,
  );
};
