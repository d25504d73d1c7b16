/** The value of a JSON text; undefined if it is none. The error of `JSON.parse` quotes the text, which may be a secret. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
