import type { Services } from '../services.ts';
import type { PageProps } from './page.tsx';
import type { View } from './view.ts';

/** The settings that decide where a page without a next step leads. */
export type Exits = Pick<Services, 'ui'>;

/** The operator's application (`UI_HOME_URL`), or the account page. */
export const wayOut = ({ ui }: Exits, { text }: View): PageProps['action'] => {
  return { id: 'home', label: ui.home ? text.error.home : text.error.account, href: ui.home ?? '/account' };
};
