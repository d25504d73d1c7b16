/** The values that a request sends for a cookie. More than one means that another domain also set the cookie. */
export const cookieValues = (request: Request, name: string): string[] => {
  const pairs = (request.headers.get('cookie') ?? '').split(';').map((pair) => pair.trim());
  return pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1));
};
