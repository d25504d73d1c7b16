import { section } from '@carnet/adapter-contract/settings';
import { z } from 'zod';

/** The mail server, and the texts of emails. */
export const mailSection = section({
  url: z
    .string({ error: 'must be an smtp: or smtps: URL' })
    .regex(/^(?:smtps?:\/\/\S+|log:)$/, 'must be a URL such as smtps://user:password@mail.example.com')
    .optional()
    .describe(
      'The mail server: `smtps://user:password@mail.example.com`. `smtp:` requires StartTLS, unless the server is on this machine or the URL ends with `?tls=none`. `log:` writes emails to the log, in dev mode only.',
    )
    .meta({ secret: 'url' }),
  from: z
    .string({ error: 'must be an email address' })
    .regex(/^[^\r\n]*[^\s@]+@[^\s@]+>?$/, 'must be an email address, such as "Example <accounts@example.com>"')
    .optional()
    .describe('The sender of emails.'),
  templates: z
    .string({ error: 'must be the path of a folder' })
    .min(1, 'must not be empty')
    .optional()
    .describe(
      'A folder with your own texts of emails: `<mail>.<language>.txt`, and optionally `<mail>.<language>.html`. Emails without a file have the text of Carnet. The files are checked and read at the start.',
    ),
});
