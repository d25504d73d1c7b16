/** The forms of a text by plural category. `#` is replaced by the number. */
export type PluralForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;

/** Chooses the form of a number by the rules of the language (Unicode CLDR). */
export const plural = (language: string, forms: PluralForms): ((count: number) => string) => {
  const rules = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(language);
  return (count) => (forms[rules.select(count)] ?? forms.other).replace('#', numbers.format(count));
};
