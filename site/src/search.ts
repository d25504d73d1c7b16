/**
 * How the search of the site ranks pages. VitePress copies these functions into the page as text: they use nothing from
 * outside of themselves.
 */
export const searchOptions = {
  prefix: true,
  // Short words have no fuzzy matches: `SPA` must not find `spans`.
  fuzzy: (term: string): number | false => (term.length > 4 ? 0.2 : false),
  boost: { title: 4, text: 2, titles: 1 },
  /** `id` is the address of a section. The generated pages name everything, and would come before the guides. */
  boostDocument: (id: string): number => {
    if (/\/reference\/(?:api|admin-api)\//.test(id)) return 0.15;
    if (/\/(?:start|guides)\//.test(id)) return 1.5;
    return /\/reference\//.test(id) ? 0.8 : 1;
  },
};
