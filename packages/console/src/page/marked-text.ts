import { type Html, html } from './html.ts';

/** A text in which backticks mark names and commands, as in descriptions of the configuration and in checks. */
export const markedText = (text: string): Html => {
  const parts = text.split('`');
  // A backtick without its counterpart is part of the text.
  if (parts.length % 2 === 0) return html`${text}`;
  return html`${parts.map((part, at) => (at % 2 === 0 ? part : html`<code>${part}</code>`))}`;
};
