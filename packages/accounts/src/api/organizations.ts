/** An organization of users, such as a business customer, as pages show it. */
export interface ShownOrganization {
  /** The name in the configuration: `accounts.organizations[].name`. It is the claim `organization`. */
  readonly name: string;
  readonly displayName: string;
}

/** The look of the pages for an organization. */
export interface OrganizationBrand {
  /** An https URL. */
  readonly logo?: string | undefined;
  /** `#rrggbb`. */
  readonly color?: string | undefined;
  readonly colorDark?: string | undefined;
}

/** The organization for which a user who has signed in before continues. */
export type OrganizationOfUser =
  /** Accept the login, with the organization if there is one. */
  | { readonly state: 'done'; readonly organization?: string | undefined }
  /** The user is a member of several: let the user choose, and call again with `chosen`. */
  | { readonly state: 'choose_organization'; readonly organizations: readonly ShownOrganization[] }
  /**
   * The user of the remembered login is not a member, or the login is not strong enough: the user must sign in again, perhaps as another user. With
   * `prompt=none`, reject the request with `login_required`.
   */
  | { readonly state: 'sign_in' };

/** The organizations of the configuration (`accounts.organizations`). */
export interface OrganizationOperations {
  /**
   * Gets an organization that a request names. Undefined if there is none, or if the client is not one of its clients: reject
   * the request with `invalid_request`. The answer reveals nothing about users.
   */
  find(input: {
    readonly organization: string;
    readonly clientId?: string | undefined;
  }): Promise<(ShownOrganization & { readonly brand: OrganizationBrand }) | undefined>;
  /**
   * Decides for which organization a remembered login continues. Call it each time that a login request is to be accepted
   * without a sign-in: the user may have left the organization, or the request may name another organization than the last one.
   */
  ofUser(input: {
    readonly subject: string;
    readonly clientId?: string | undefined;
    /** The parameter `organization` of the request. */
    readonly organization?: string | undefined;
    /** The name that the user has chosen. It has no effect with `organization`. */
    readonly chosen?: string | undefined;
    /** The `acr` of the remembered login. */
    readonly acr?: string | undefined;
    /**
     * The `provider` of the sign-in (`SignedIn`) whose session this remembered login is. Keep it where browsers cannot change it, together
     * with the id of the session. Without it, no provider makes the user a member.
     */
    readonly provider?: string | undefined;
  }): Promise<OrganizationOfUser>;
}
