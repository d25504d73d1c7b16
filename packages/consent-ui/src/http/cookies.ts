/** The values a request sends for a cookie; more than one means that somebody else's domain set it too. */
export const cookieValues = (request: Request, name: string): string[] => {
  const pairs = (request.headers.get('cookie') ?? '').split(';').map((pair) => pair.trim());
  return pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1));
};
