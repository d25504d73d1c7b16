import { parseSync, Visitor } from 'oxc-parser';

/** Attributes that users read or hear. */
const readable: ReadonlySet<string> = new Set([
  'alt',
  'title',
  'label',
  'placeholder',
  'aria-label',
  'text',
  'message',
]);

const hasWords = (text: string): boolean => /\p{Letter}/u.test(text);

/** Texts for users that are written in JSX; they belong to the dictionaries of `messages/`. */
export const textsInJsx = (path: string, source: string): readonly string[] => {
  const found: string[] = [];
  const add = (start: number, text: string): void => {
    if (hasWords(text)) found.push(`${path}:${source.slice(0, start).split('\n').length} ${text.trim()}`);
  };
  new Visitor({
    JSXText: ({ start, value }) => add(start, value),
    JSXAttribute: ({ name, value }) => {
      if (value?.type === 'Literal' && readable.has(String(name.name))) add(value.start, String(value.value));
    },
    JSXExpressionContainer: ({ expression }) => {
      // `{' '}` and `{condition && 'a text'}`; the values of attributes such as `className` are no children.
      if (expression.type === 'LogicalExpression' && expression.right.type === 'Literal') {
        add(expression.right.start, String(expression.right.value));
      }
    },
  }).visit(parseSync(path, source).program);
  return found;
};
