import { commonMessages } from '../messages/common/index.ts';
import { type Html, html } from './html.ts';
import type { PageContext } from './route.ts';

/** The number of items on a page of a list. */
export const pageSize = 50;

/** The page that a list returns: `limit`, and `after` from the URL. */
export const pageQueryIn = ({ query }: Pick<PageContext, 'query'>) => ({
  limit: pageSize,
  after: query.get('after') || undefined,
});

/**
 * The links to the next and the first page of a list. The other parameters of the URL stay, so that filters survive.
 *
 * @param path the path of the list, below the mount point
 * @param next the cursor of the next page; undefined on the last page
 */
export const pager = (
  { query, link, language }: Pick<PageContext, 'query' | 'link' | 'language'>,
  path: string,
  next: string | undefined,
): Html => {
  const texts = commonMessages(language);
  const rest = Object.fromEntries([...query].filter(([name, value]) => name !== 'after' && value !== ''));
  const first = query.get('after') ? html`<li><a href="${link(path, rest)}">${texts.first}</a></li>` : '';
  const following =
    next === undefined
      ? ''
      : html`<li><a rel="next" href="${link(path, { ...rest, after: next })}">${texts.next}</a></li>`;
  return first === '' && following === ''
    ? html``
    : html`<nav aria-label="${texts.pages}"><ul>${first}${following}</ul></nav>`;
};
