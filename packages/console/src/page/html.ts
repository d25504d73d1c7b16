import { html } from 'hono/html';

/** A piece of a page. `html` escapes every value in it, so that no text of a client or a user becomes markup. */
export type Html = ReturnType<typeof html>;

export { html };
