import { formTokenField } from '../csrf/form-token.ts';
import { Page } from '../page/page.tsx';
import { ProblemMessage } from '../page/problem-message.tsx';

export interface DeviceFormProps {
  readonly action: string;
  readonly token: string;
  /** As it came with the link, or was typed. */
  readonly userCode: string;
  /** The code came with the link: it has to be compared, not typed. */
  readonly isConfirmation?: boolean;
  readonly message?: string | undefined;
}

/** The page that asks for the code of a device. */
export function DeviceForm({ action, token, userCode, isConfirmation = false, message }: DeviceFormProps) {
  const described = message === undefined ? {} : { 'aria-invalid': true, 'aria-describedby': 'message' };
  return (
    <Page title="Connect a device">
      <h1>{isConfirmation ? 'Is this the code on your device?' : 'Connect a device'}</h1>
      <p className="lead">
        {isConfirmation
          ? 'Compare it with the code on your device before you continue.'
          : 'Enter the code that your device shows.'}
      </p>
      <ProblemMessage message={message} />
      <form method="post" action={action}>
        <input type="hidden" name={formTokenField} value={token} />
        <div className="field">
          <label htmlFor="user_code">Code</label>
          <input
            id="user_code"
            name="user_code"
            className="code"
            type="text"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={64}
            required
            defaultValue={userCode}
            // biome-ignore lint/a11y/noAutofocus: a page of one form, reached to type this: no surprise
            autoFocus={!isConfirmation}
            {...described}
          />
        </div>
        <p className="caution">
          Continue only if you started this on your own device. If someone sent you the code or the link, close this
          page: they would get access to your account.
        </p>
        <div className="actions">
          <button id="verify" type="submit">
            {isConfirmation ? 'Yes, continue' : 'Continue'}
          </button>
        </div>
      </form>
    </Page>
  );
}
