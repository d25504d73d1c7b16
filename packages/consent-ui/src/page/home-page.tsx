import { Notice } from './notice.tsx';
import { respond } from './respond.ts';
import { viewOf } from './view.ts';
import { type Exits, wayOut } from './way-out.ts';

/** GET /: for users who open this address themselves. */
export const showHome = (services: Exits, request: Request): Promise<Response> => {
  const view = viewOf(services, request);
  return respond(view, <Notice view={view} {...view.text.home} action={wayOut(services, view)} />);
};
