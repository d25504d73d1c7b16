import { z } from 'zod';
import type { Envelope } from './envelope.ts';
import { type Opened, openedOf } from './flow-tokens.ts';
import type { Purpose } from './purposes.ts';

/** The state of a logout. It is sealed like the state of a login and is not stored. */
const logoutSchema = z.object({
  sid: z.string(),
  subject: z.string(),
  clientId: z.string().optional(),
  /** Whether a client requested the logout with an ID token of this session. */
  rpInitiated: z.boolean(),
  /** The `post_logout_redirect_uri`. It was checked against the client's registration before it was sealed. */
  redirectTo: z.string().optional(),
  /** Seconds since 1970. */
  requestedAt: z.number(),
  expiresAt: z.number(),
});

export type LogoutState = z.output<typeof logoutSchema>;
type LogoutPurpose = Extract<Purpose, `logout_${string}`>;

export const createLogoutTokens = (envelope: Envelope, now: () => number) => ({
  seal: (purpose: LogoutPurpose, state: LogoutState): string =>
    envelope.seal(purpose, Buffer.from(JSON.stringify(state))),
  open(purpose: LogoutPurpose, token: string): Opened<LogoutState> {
    const bytes = envelope.open(purpose, token);
    return openedOf(bytes && logoutSchema.parse(JSON.parse(bytes.toString())), now);
  },
});

export type LogoutTokens = ReturnType<typeof createLogoutTokens>;
