const decodePart = (jwt: string, index: number): Readonly<Record<string, unknown>> => {
  try {
    const part: unknown = JSON.parse(Buffer.from(jwt.split('.')[index] ?? '', 'base64url').toString());
    return typeof part === 'object' && part !== null && !Array.isArray(part) ? { ...part } : {};
  } catch {
    return {};
  }
};

/**
 * The claims of a JWT. Does not verify it: call it only for verified tokens. Returns no claims if the text is no JWT.
 */
export const decodeJwtPayload = (jwt: string): Readonly<Record<string, unknown>> => decodePart(jwt, 1);

/** The header of a JWT. The same holds for it. */
export const decodeJwtHeader = (jwt: string): Readonly<Record<string, unknown>> => decodePart(jwt, 0);
