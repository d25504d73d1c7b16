import type { Services } from '../services.ts';
import type { PageProps } from './page.tsx';
import { respondNotice } from './respond-notice.tsx';
import { type View, viewOf } from './view.ts';

/** The link of a page without a next step: to the operator's application (`UI_HOME_URL`), or to the account page. */
export const homeLink = ({ home, text }: View): NonNullable<PageProps['action']> => ({
  id: 'home',
  label: home ? text.error.home : text.error.account,
  href: home ?? '/account',
});

/** GET /: for users who open this address themselves. */
export const showHome = (services: Pick<Services, 'ui'>, request: Request): Promise<Response> => {
  const view = viewOf(services, request);
  return respondNotice(view, { ...view.text.home, action: homeLink(view) });
};
