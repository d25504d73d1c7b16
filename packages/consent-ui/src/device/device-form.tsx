import { Caution } from '../page/caution.tsx';
import { Button, Field, Form, type FormTarget, Submit } from '../page/form.tsx';
import { Page } from '../page/page.tsx';
import { ProblemMessage } from '../page/problem-message.tsx';
import type { View } from '../page/view.ts';

export interface DeviceFormProps {
  readonly view: View;
  readonly target: FormTarget;
  /** As it came with the link, or was typed. */
  readonly userCode: string;
  /** The code came with the link: it has to be compared, not typed. */
  readonly isConfirmation?: boolean;
  readonly message?: string | undefined;
}

/** The page that asks for the code of a device. */
export function DeviceForm({ view, target, userCode, isConfirmation = false, message }: DeviceFormProps) {
  const text = view.text.device;
  const [heading, lead, submit] = isConfirmation
    ? [text.confirmTitle, text.confirmLead, text.confirmSubmit]
    : [text.title, text.lead, text.submit];
  return (
    <Page view={view} title={text.title} heading={heading} text={lead}>
      <ProblemMessage message={message} field="user_code" />
      <Form {...target}>
        <Field
          name="user_code"
          label={text.code}
          className="code"
          dir="ltr"
          autoComplete="off"
          autoCapitalize="characters"
          maxLength={64}
          value={userCode}
          autoFocus={!isConfirmation && message === undefined}
          isWrong={message !== undefined}
        />
        <Caution>{text.caution}</Caution>
        <Submit id="verify" label={submit}>
          {isConfirmation && (
            <Button id="reject" label={text.notMe} name="decision" value="reject" isPlain formNoValidate />
          )}
        </Submit>
      </Form>
    </Page>
  );
}
