import type { Services } from '../services.ts';
import type { NoticeProps } from './notice.tsx';
import type { View } from './view.ts';

/** The settings that decide where a page without a next step leads. */
export type Exits = Pick<Services, 'ui'> & Partial<Pick<Services, 'accounts'>>;

/** The operator's application (`UI_HOME_URL`), or the account page if there is one. */
export const wayOut = ({ ui, accounts }: Exits, { text }: View): NoticeProps['action'] => {
  if (ui.home !== undefined) return { id: 'home', label: text.error.home, href: ui.home };
  return accounts && { id: 'home', label: text.error.account, href: '/account' };
};
