export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value of JSON is an object: neither null nor an array. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value of a JSON text; undefined if it is none. The error of `JSON.parse` quotes the text, which may be a secret. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/**
 * The objects of a text, or why it has none. `line`: the wrong line of a text of lines. `not_utf8`: the text was UTF-16, as
 * `>` writes it in Windows PowerShell. `one_page`: the list has further pages.
 */
export type ObjectsRead =
  | { readonly objects: readonly JsonObject[] }
  | { readonly problem: 'empty' | 'not_utf8' | 'not_json' | 'not_objects' | 'one_page'; readonly line?: number };

/** A byte order mark of UTF-16 that was decoded as UTF-8, and the beginning of JSON. */
const isUtf16 = (text: string): boolean => /^\ufffd\ufffd\0?[\s[{]/.test(text);

/** Whether the server that has printed the list has more of it: the command of Hydra prints one page. */
const isOnePage = (value: unknown): boolean =>
  isObject(value) && Array.isArray(value.items) && (value.is_last_page === false || Boolean(value.next_page_token));

const itemsOf = (value: unknown): readonly unknown[] =>
  isObject(value) && Array.isArray(value.items) ? value.items : [value].flat();

/** The value of each line that has one, as `jq -c` prints them. */
const readLines = (text: string): ObjectsRead => {
  const lines = text.split('\n').flatMap((line, index) => (line.trim() === '' ? [] : [{ line, number: index + 1 }]));
  const objects: JsonObject[] = [];
  for (const { line, number } of lines) {
    const value = parseJson(line);
    // A text whose first line is no JSON is one value with an error, and no text of lines.
    if (value === undefined) return { problem: 'not_json', ...(objects.length > 0 && { line: number }) };
    if (!isObject(value)) return { problem: 'not_objects', line: number };
    objects.push(value);
  }
  return objects.length > 0 ? { objects } : { problem: 'not_json' };
};

/** One object, a list of them, a page of a list with `items`, or an object in each line. */
export const objectsIn = (text: string): ObjectsRead => {
  if (text.trim() === '') return { problem: 'empty' };
  if (isUtf16(text)) return { problem: 'not_utf8' };
  const value = parseJson(text);
  if (value === undefined) return readLines(text);
  // Without the other pages, the import would be incomplete, and report success.
  if (isOnePage(value)) return { problem: 'one_page' };
  const objects = itemsOf(value);
  return objects.every(isObject) ? { objects } : { problem: 'not_objects' };
};
