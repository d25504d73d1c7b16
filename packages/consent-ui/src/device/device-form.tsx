import { formTokenField } from '../csrf/form-token.ts';
import { Caution } from '../page/caution.tsx';
import { Page } from '../page/page.tsx';
import { invalidField, ProblemMessage } from '../page/problem-message.tsx';
import type { View } from '../page/view.ts';

export interface DeviceFormProps {
  readonly view: View;
  readonly action: string;
  readonly token: string;
  /** As it came with the link, or was typed. */
  readonly userCode: string;
  /** The code came with the link: it has to be compared, not typed. */
  readonly isConfirmation?: boolean;
  readonly message?: string | undefined;
}

/** The page that asks for the code of a device. */
export function DeviceForm({ view, action, token, userCode, isConfirmation = false, message }: DeviceFormProps) {
  const text = view.text.device;
  return (
    <Page view={view} title={text.title}>
      <h1>{isConfirmation ? text.confirmTitle : text.title}</h1>
      <p className="lead">{isConfirmation ? text.confirmLead : text.lead}</p>
      <ProblemMessage message={message} field="user_code" />
      <form method="post" action={action}>
        <input type="hidden" name={formTokenField} value={token} />
        <div className="field">
          <label htmlFor="user_code">{text.code}</label>
          <input
            id="user_code"
            name="user_code"
            className="code"
            type="text"
            dir="ltr"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={64}
            required
            defaultValue={userCode}
            // biome-ignore lint/a11y/noAutofocus: a page of one form, reached to type this: no surprise
            autoFocus={!isConfirmation && message === undefined}
            {...invalidField(message !== undefined)}
          />
        </div>
        <Caution>{text.caution}</Caution>
        <div className="actions">
          <button id="verify" type="submit">
            {isConfirmation ? text.confirmSubmit : text.submit}
          </button>
          {isConfirmation && (
            <button id="reject" name="decision" value="reject" type="submit" className="plain" formNoValidate>
              {text.notMe}
            </button>
          )}
        </div>
      </form>
    </Page>
  );
}
