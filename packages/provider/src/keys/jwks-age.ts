/** How long the published keys may be cached. A key signs no earlier than every copy without it has expired. */
export const jwksMaxAgeSeconds = 60;
