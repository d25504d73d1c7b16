import { recordedAddress } from '../../http/client-address.ts';
import { openPages, type Pages } from '../../pages.ts';
import { fromEnvironment } from '../../settings/read-settings.ts';

export const dynamic = 'force-dynamic';

let pages: Pages | undefined;

/** All pages are one route: Next.js reads the settings at the first request, not when it builds. */
const handle = (request: Request): Promise<Response> => {
  pages ??= openPages(fromEnvironment(process.env));
  return pages(request, { address: recordedAddress(request) });
};

export { handle as GET, handle as POST };
