const pairsOf = (request: Request): string[] =>
  (request.headers.get('cookie') ?? '').split(';').map((pair) => pair.trim());

/** The values that a request sends for a cookie. More than one means that another domain also set the cookie. */
export const cookieValues = (request: Request, name: string): string[] =>
  pairsOf(request)
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));

/** The names of the cookies of a request, in the order in which they were created (RFC 6265, section 5.4). */
export const cookieNames = (request: Request): string[] => pairsOf(request).map((pair) => pair.split('=', 1)[0] ?? '');
