/** Rows in columns of equal width, indented. The last column has any width. */
export const columns = (rows: readonly (readonly string[])[]): string[] => {
  const count = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: count }, (_, column) =>
    Math.max(...rows.map((row) => (column === row.length - 1 ? 0 : (row[column] ?? '').length))),
  );
  return rows.map((row) =>
    `  ${row.map((value, column) => value.padEnd(column === row.length - 1 ? 0 : (widths[column] ?? 0))).join('  ')}`.trimEnd(),
  );
};
