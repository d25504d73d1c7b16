import type { NextFunction, Request, Response } from 'express';
import { type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';

/** The sign-in that a route requires. */
export interface Requirement {
  /** Sufficient authentication classes. */
  readonly acrValues?: readonly string[];
  /** The maximum age of the sign-in, in seconds. */
  readonly maxAgeSeconds?: number;
}

export interface TokenRules {
  readonly issuer: string;
  /** The name of this API: the `audience` that its clients are registered for. */
  readonly audience: string;
  /** The keys of the issuer (`createRemoteJWKSet`). */
  readonly keys: JWTVerifyGetKey;
}

/** A challenge (RFC 6750, section 3). The values hold no quotes: they are constants of this program. */
const challenge = (response: Response, parameters: Readonly<Record<string, string | number | undefined>>): void => {
  const present = Object.entries(parameters).filter(([, value]) => value !== undefined);
  const text = present.map(([name, value]) => `${name}="${value}"`).join(', ');
  response.status(401).set('WWW-Authenticate', `Bearer ${text}`).json({ error: parameters.error });
};

const isSufficient = ({ acr, auth_time: authTime }: JWTPayload, { acrValues, maxAgeSeconds }: Requirement): boolean => {
  const isStrong = acrValues === undefined || acrValues.includes(String(acr));
  const isRecent = maxAgeSeconds === undefined || Date.now() / 1000 - Number(authTime) <= maxAgeSeconds;
  return isStrong && isRecent;
};

/**
 * Verifies a JWT access token (RFC 9068) and the sign-in behind it. A token whose sign-in is not sufficient gets the answer
 * `insufficient_user_authentication` (RFC 9470, section 3): the client sends the user to the authorization endpoint with
 * these `acr_values` and this `max_age`.
 */
export const requireSignIn =
  ({ issuer, audience, keys }: TokenRules, requirement: Requirement = {}) =>
  async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    const token = /^Bearer ([\w.-]+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (token === undefined) return challenge(response, { error: 'invalid_token' });
    let claims: JWTPayload;
    try {
      // `typ` keeps an ID token from being accepted (RFC 9068, section 4).
      claims = (await jwtVerify(token, keys, { issuer, audience, typ: 'at+jwt' })).payload;
    } catch {
      return challenge(response, { error: 'invalid_token' });
    }
    if (isSufficient(claims, requirement)) {
      response.locals.claims = claims;
      return next();
    }
    challenge(response, {
      error: 'insufficient_user_authentication',
      error_description: 'a stronger or a more recent sign-in is required',
      acr_values: requirement.acrValues?.join(' '),
      max_age: requirement.maxAgeSeconds,
    });
  };
