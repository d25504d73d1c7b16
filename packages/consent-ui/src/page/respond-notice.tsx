import { Page, type PageProps } from './page.tsx';
import { type ResponseExtras, respond } from './respond.ts';
import type { View } from './view.ts';

/** Responds with a page of a message. */
export const respondNotice = (
  view: View,
  notice: Omit<PageProps, 'view' | 'isWide' | 'picture'>,
  extras?: ResponseExtras,
): Promise<Response> => respond(view, <Page view={view} {...notice} />, extras);
