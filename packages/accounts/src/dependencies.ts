import type { AccountsErrorCode } from './accounts-error.ts';
import type { ProviderSignIn } from './api/providers.ts';
import type { PasswordHashingOptions, Refusal } from './directory/index.ts';
import type { SendUpstream } from './federation/port.ts';
import type { FactorKind, Vault } from './second-factors/index.ts';

export interface Logger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** An event for the metrics and the provider. It never holds a password, a code, a token or a link. */
export type AccountsEvent =
  | {
      readonly type: 'sign_in';
      /** `validate_check`: a PAM or RADIUS plug-in has asked. */
      readonly method: 'password' | 'email' | 'factor' | 'passkey' | 'provider' | 'validate_check';
      readonly result: ProviderSignIn['state'] | 'weak_password';
      readonly directory?: string | undefined;
      /** The name of the provider. */
      readonly provider?: string | undefined;
      readonly subject?: string | undefined;
      /** The reason of a refusal. The user never sees it. */
      readonly reason?:
        | Refusal
        | 'wrong_code'
        | 'invalid_progress'
        | 'linked_to_another'
        | 'not_fresh'
        | 'other_provider'
        | undefined;
    }
  | {
      readonly type: 'directory';
      readonly directory: string;
      readonly step: string;
      readonly durationMs: number;
      readonly failed: boolean;
    }
  | { readonly type: 'cache'; readonly directory: string; readonly hit: boolean }
  | {
      readonly type: 'password_changed';
      readonly subject: string;
      readonly by: 'change' | 'recovery' | 'expired';
      /** The language of the page, for the email to the user. */
      readonly language?: string | undefined;
    }
  | { readonly type: 'signed_up'; readonly subject: string }
  | { readonly type: 'invitation_accepted'; readonly subject: string }
  | {
      /** An administrator has managed a user. */
      readonly type: 'user';
      readonly action:
        | 'create'
        | 'update'
        | 'disable'
        | 'delete'
        | 'end_sessions'
        | 'unlock'
        | 'invite'
        | 'send_recovery';
      /** Undefined for a user that was not created. */
      readonly subject?: string | undefined;
      /** The reason of a refusal. */
      readonly reason?: AccountsErrorCode | undefined;
    }
  | {
      /** An administrator has managed a group. `add`, `remove`: a user became a member, or is none any more. */
      readonly type: 'group';
      readonly action: 'create' | 'update' | 'delete' | 'add' | 'remove';
      /** The id. Undefined for a group that was not created. */
      readonly group?: string | undefined;
      readonly subject?: string | undefined;
      /** The reason of a refusal. */
      readonly reason?: AccountsErrorCode | undefined;
    }
  | {
      readonly type: 'deletion';
      /**
       * `revoke`: sessions, consents and tokens must end. It comes before each step of a deletion, which a failure stops. Of
       * several processes, each may report it, and one reports `deleted`.
       */
      readonly action: 'revoke' | 'cancelled' | 'deleted';
      readonly subject: string;
    }
  | {
      readonly type: 'deletion';
      readonly action: 'requested';
      readonly subject: string;
      /** Milliseconds since 1970. */
      readonly deleteAt: number;
      /** The language of the page, for the email to the user. */
      readonly language?: string | undefined;
    }
  | {
      readonly type: 'email';
      readonly action: 'requested' | 'changed';
      readonly subject: string;
      /** The address that the user had before, for the email to it. */
      readonly previous?: string | undefined;
      /** The language of the page, for the email to the user. */
      readonly language?: string | undefined;
    }
  | {
      /** An identity at a provider. */
      readonly type: 'identity';
      readonly action: 'linked' | 'unlinked';
      readonly subject: string;
      readonly provider: string;
      /** The user was created with it. */
      readonly isSignUp?: true;
      /** The language of the page, for the email to the user. */
      readonly language?: string | undefined;
    }
  | { readonly type: 'provider_logout'; readonly subject: string; readonly provider: string }
  | {
      readonly type: 'factor';
      readonly action: 'added' | 'removed' | 'reset';
      readonly subject: string;
      readonly kind?: FactorKind | undefined;
      /** The language of the page, for the email to the user. */
      readonly language?: string | undefined;
    };

/** The actions of audit records. Each needs a type of event in `@carnet/events`. */
type AuditAction =
  | 'sign_in.password'
  | 'sign_in.email'
  | 'sign_in.factor'
  | 'sign_in.passkey'
  | 'sign_in.provider'
  | 'sign_in.validate_check'
  | 'user.create'
  | 'user.update'
  | 'user.disable'
  | 'user.delete'
  | 'user.end_sessions'
  | 'user.unlock'
  | 'user.invite'
  | 'user.send_recovery'
  | 'group.create'
  | 'group.update'
  | 'group.delete'
  | 'group.add'
  | 'group.remove'
  | 'account.sign_up'
  | 'account.invitation_accepted'
  | 'account.deletion_requested'
  | 'account.deletion_cancelled'
  | 'account.deletion_deleted'
  | 'account.email_requested'
  | 'account.email_changed'
  | 'account.password'
  | 'identity.linked'
  | 'identity.unlinked'
  | 'session.provider_logout'
  | 'factor.added'
  | 'factor.removed'
  | 'factor.reset';

/** A record of the audit log. It has ids, results and reasons only. */
export interface AuditRecord {
  readonly action: AuditAction;
  readonly outcome: 'success' | 'denied';
  readonly reason?: string | undefined;
  readonly directory?: string | undefined;
  readonly subject?: string | undefined;
  /** The id of the group. */
  readonly group?: string | undefined;
  /** An administrator did it. */
  readonly byAdmin?: true;
}

export interface AccountsDependencies {
  /** Imports a package that only some configurations need: `(name) => import(name)` in a program that has installed it. */
  readonly load: (
    name: '@carnet/accounts-federation' | '@carnet/accounts-ldap' | '@carnet/accounts-saml' | '@carnet/accounts-sql',
  ) => Promise<unknown>;
  /** Sends requests to providers (`accounts.providers`), within limits of time, size and addresses. */
  readonly sendToProvider?: SendUpstream | undefined;
  /** Encrypts factor secrets, sign-in progress and links. */
  readonly vault: Vault;
  /** The cost of new password hashes. Default: that of `createPasswordHashing`. */
  readonly hashCost?: Pick<PasswordHashingOptions, 'memoryKiB' | 'iterations'> | undefined;
  readonly logger: Logger;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Shows an email in place of a mail server (`mail.url: 'log:'`, in dev mode). Default: the logger. */
  readonly showMail?: ((text: string) => void) | undefined;
  /**
   * Called with each new password of a user in the accounts database that the other rules accept. Returns why it is refused,
   * in one sentence, or undefined. A failure is logged, and does not refuse the password.
   */
  readonly passwordCheck?: ((password: string) => string | undefined | Promise<string | undefined>) | undefined;
  /** Writes a record to the audit log. */
  readonly audit?: ((record: AuditRecord) => void) | undefined;
  /** Awaited before the operation answers: after `password_changed` and `deletion` the provider ends the user's sessions. */
  readonly onEvent?: ((event: AccountsEvent) => void | Promise<void>) | undefined;
  /** Removes users from the user caches of the other processes. Returns how many. Default: there are none. */
  readonly purgeElsewhere?: ((which: { readonly directory?: string }) => Promise<number>) | undefined;
  /** Milliseconds since 1970: when all sessions of the user were ended last. Default: never. */
  readonly sessionsEndedAt?: ((subject: string) => Promise<number | undefined>) | undefined;
}
