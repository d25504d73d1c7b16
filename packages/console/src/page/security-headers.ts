import { secureHeaders } from 'hono/secure-headers';

/**
 * The headers of every response. No source is `unsafe-inline`: a text that became markup by mistake could not run.
 *
 * @param pictureOrigins the origins of other hosts whose pictures the pages show
 */
export const securityHeaders = (pictureOrigins: readonly string[]) =>
  secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      baseUri: ["'none'"],
      connectSrc: ["'self'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
      // Pico draws its icons as `data:` images.
      imgSrc: ["'self'", 'data:', ...pictureOrigins],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
    },
    // With `no-referrer`, browsers send `Origin: null` with forms, and each of them would be refused.
    referrerPolicy: 'same-origin',
    // The other hosts of the domain decide for themselves.
    strictTransportSecurity: 'max-age=15552000',
  });

/** Safe for a logo with a script because of this policy: opened as a page, it runs none, and has no origin. */
export const pictureHeaders = secureHeaders({
  contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"], sandbox: [] },
});
