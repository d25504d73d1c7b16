/** The issuer of a provider, by the name of the provider. */
export interface BoundIssuer {
  readonly provider: string;
  readonly issuer: string;
}

/** The issuers to which the identities of users belong. */
export interface IssuerStore {
  /**
   * Binds a provider to its issuer, unless it is bound already. Of parallel calls, in several processes, one binds it.
   *
   * @param former the issuer to which the provider may have been bound: it is replaced
   * @returns the issuer to which the provider is bound
   */
  bind(bound: BoundIssuer, former: string | undefined): Promise<string>;
}
