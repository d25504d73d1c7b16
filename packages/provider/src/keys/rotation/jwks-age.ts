/** How long the published keys may be cached. A key signs only after every cached copy without it has expired. */
export const jwksMaxAgeSeconds = 60;
