/** Longer forms are refused. The longest one is pasted: an authorization URL with a request object, or a token. */
const maxFormBytes = 100_000;

/** The fields of a form; none for GET, and for a form that is too long. */
export const readForm = async (request: Request): Promise<URLSearchParams> => {
  if (request.method === 'GET') return new URLSearchParams();
  const text = await request.text();
  return new URLSearchParams(text.length > maxFormBytes ? '' : text);
};
