/** The answer of a provider, which the accounts API has not verified yet. */
export interface Answer {
  readonly provider: string;
  /** The query of the callback, or the body of its form. */
  readonly text: string;
  readonly binding: string;
  readonly remember: boolean;
}
