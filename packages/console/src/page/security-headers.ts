import { secureHeaders } from 'hono/secure-headers';

/** The headers of every response. No source is `unsafe-inline`: a text that became markup by mistake could not run. */
export const securityHeaders = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    baseUri: ["'none'"],
    connectSrc: ["'self'"],
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
    // Pico draws its icons as `data:` images.
    imgSrc: ["'self'", 'data:'],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
  },
  // With `no-referrer`, browsers send `Origin: null` with forms, and each of them would be refused.
  referrerPolicy: 'same-origin',
  // The other hosts of the domain decide for themselves.
  strictTransportSecurity: 'max-age=15552000',
});
