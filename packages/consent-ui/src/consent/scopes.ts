import { allLanguages } from '../messages/languages.ts';
import type { View } from '../page/view.ts';

/**
 * The text of a scope for the user; undefined for a scope without one, which is shown by its name. A text of the operator
 * goes before one of this UI. It is in the language of the page, or else in the default language, or in any.
 */
export const scopeText = ({ text, scopes, language, languages }: View, scope: string): string | undefined => {
  const own = scopes.get(scope) ?? {};
  const found = [language, languages[0], ...allLanguages].find((each) => each !== undefined && own[each] !== undefined);
  if (found) return own[found];
  const texts: Readonly<Record<string, string>> = text.scopes;
  const name = scope === 'offline' ? 'offline_access' : scope;
  return Object.hasOwn(texts, name) ? texts[name] : undefined;
};
