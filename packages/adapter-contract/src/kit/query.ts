/** The parameters of a query by their names. One that is given twice is a list, so that a schema of texts refuses it. */
export const parametersIn = (query: URLSearchParams, names: readonly string[]) =>
  Object.fromEntries(
    names.map((name) => {
      const values = query.getAll(name);
      return [name, values.length > 1 ? values : values[0] || undefined];
    }),
  );
