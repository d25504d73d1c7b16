/** The roles of the console, weakest first. A viewer changes nothing. */
export const roles = ['viewer', 'operator'] as const;

export type Role = (typeof roles)[number];

/** A signed-in user of the console. */
export interface Operator {
  readonly subject: string;
  readonly name: string;
  readonly role: Role;
}

export const mayAct = ({ role }: Operator, needed: Role): boolean => roles.indexOf(role) >= roles.indexOf(needed);
