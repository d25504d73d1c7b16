import { z } from 'zod';
import type { SealedCookie } from '../../cookies/sealed-cookie.ts';
import type { Services } from '../../services.ts';

/** The time for which the link of the email is valid. */
const maxAgeSeconds = 3600;

const sent = z.object({
  /** The answer to `account/change-email`: this browser sent the form. */
  proof: z.string().min(1).max(128),
  /** For display. */
  email: z.string(),
});

type Sent = z.infer<typeof sent>;

/** Remembers in the browser that it requested a new email address, until the link of the email is opened. */
export const emailProof = ({ cookies }: Pick<Services, 'cookies'>): SealedCookie<Sent> =>
  cookies.create({ name: 'carnet_new_email', schema: sent, maxAgeSeconds });
