/**
 * The claims of a JWT. Does not verify it: call it only for verified tokens. Returns no claims if the text is no JWT.
 */
export const decodeJwtPayload = (jwt: string): Readonly<Record<string, unknown>> => {
  try {
    const payload: unknown = JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString());
    return typeof payload === 'object' && payload !== null && !Array.isArray(payload) ? { ...payload } : {};
  } catch {
    return {};
  }
};
