/** Longer forms are refused before they are read. The longest one is pasted: an authorization URL with a request object, or a token. */
export const maxFormBytes = 100_000;

/** The fields of a form; none for GET. */
export const readForm = async (request: Request): Promise<URLSearchParams> =>
  new URLSearchParams(request.method === 'GET' ? '' : await request.text());
