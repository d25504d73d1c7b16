interface StoredLink {
  readonly id: string;
  readonly content: string;
  readonly expiresAt: number;
  /** The user with whom the link is deleted. */
  readonly userId?: string | undefined;
}

/** The contents of links, by id. */
export interface LinkStore {
  put(link: StoredLink): Promise<void>;
  find(id: string): Promise<string | undefined>;
  /** Removes the links of a user whose ids begin with this text. */
  removeOf(userId: string, prefix: string): Promise<void>;
}
