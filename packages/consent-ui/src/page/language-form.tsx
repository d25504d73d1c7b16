import { languages } from '../messages/languages.ts';
import type { View } from './view.ts';

/** The language selector: a form of one button for each language, which opens this page again. */
export function LanguageForm({ view }: { view: View }) {
  if (view.languages.length < 2) return null;
  // A value that no link of the provider has is not repeated into the page.
  const kept = [...view.url.searchParams].filter(
    ([name, value]) => name !== 'language' && /^[\x20-\x7e]+$/.test(value),
  );
  return (
    <details className="languages">
      <summary>
        <span className="hidden">{view.text.language.label}: </span>
        <span>{languages[view.language].name}</span>
      </summary>
      <form method="get" action={view.url.pathname}>
        {kept.map(([name, value], index) => (
          <input key={index} type="hidden" name={name} value={value} />
        ))}
        {view.languages.map((language) => (
          <button
            key={language}
            type="submit"
            name="language"
            value={language}
            lang={language}
            aria-current={language === view.language ? 'true' : undefined}
          >
            {languages[language].name}
          </button>
        ))}
      </form>
    </details>
  );
}
