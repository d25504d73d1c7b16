import type { Reply } from './page.ts';

export const toResponse = ({ status, headers, body }: Reply): Response => new Response(body, { status, headers });

/** The path with its query, without the origin: behind a proxy, this program sees another one than the browser. */
export const pathOf = ({ url }: Request): string => new URL(url).pathname + new URL(url).search;

/** The parameters of a URL. */
export const queryOf = ({ url }: Request): Record<string, unknown> => Object.fromEntries(new URL(url).searchParams);

/** The fields of a submitted form. */
export const formOf = async (request: Request): Promise<Record<string, unknown>> =>
  Object.fromEntries(await request.formData());

export const cookiesOf = ({ headers }: Request): string | undefined => headers.get('cookie') ?? undefined;
