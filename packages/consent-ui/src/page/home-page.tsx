import { Notice } from './notice.tsx';
import { respond } from './respond.ts';
import type { Ui } from './ui.ts';
import { viewOf } from './view.ts';

/** GET /: for users who open this address themselves. */
export const showHome = (services: { readonly ui: Ui }, request: Request): Promise<Response> => {
  const view = viewOf(services, request);
  return respond(view, <Notice view={view} {...view.text.home} />);
};
