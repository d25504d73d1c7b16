import { respondNotice } from './respond-notice.tsx';
import { viewOf } from './view.ts';
import { type Exits, wayOut } from './way-out.ts';

/** GET /: for users who open this address themselves. */
export const showHome = (services: Exits, request: Request): Promise<Response> => {
  const view = viewOf(services, request);
  return respondNotice(view, { ...view.text.home, action: wayOut(services, view) });
};
