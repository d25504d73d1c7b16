/** The claims of a JWT that was verified before, or none when it is no JWT. Verifies nothing. */
export const decodeJwtPayload = (jwt: string): Readonly<Record<string, unknown>> => {
  try {
    const payload: unknown = JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString());
    return typeof payload === 'object' && payload !== null && !Array.isArray(payload) ? { ...payload } : {};
  } catch {
    return {};
  }
};
