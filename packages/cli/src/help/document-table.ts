/** A table of the documents. */
export interface DocumentTable {
  readonly title: string;
  /** The path of the document. */
  readonly source: string;
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}
