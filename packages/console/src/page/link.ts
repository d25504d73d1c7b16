import type { PageContext } from './route.ts';

/** The function that forms the URLs of pages, for a console at this path. */
export const createLink =
  (base: string): PageContext['link'] =>
  (path, query = {}) => {
    const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const search = new URLSearchParams(given).toString();
    return `${base}${path}${search && `?${search}`}`;
  };

/** A segment of a path. A text of a pasted token may have half of a surrogate pair, which has no encoding. */
export const segment = (text: string): string => `/${encodeURIComponent(text.toWellFormed())}`;

/**
 * A path of the console, from a form or a URL. Anything else becomes the first page: `//evil.example` would be another host, and
 * so would a path with a tab between the slashes, which browsers remove.
 */
export const pathIn = (text: string | null): string => {
  const isPath = /^\/(?![/\\])[\x21-\x7e]*$/.test(text ?? '');
  return isPath ? (text ?? '/') : '/';
};
