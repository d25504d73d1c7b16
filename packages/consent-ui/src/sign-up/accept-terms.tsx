import { invalidField } from '../page/problem-message.tsx';
import type { View } from '../page/view.ts';

/** The box with which the user accepts the terms of service. */
export function AcceptTerms({ view, isInvalid }: { readonly view: View; readonly isInvalid: boolean }) {
  const { links, text } = view;
  return (
    <div className="check">
      <input id="terms" name="terms" type="checkbox" value="1" required {...invalidField(isInvalid)} />
      <span>
        <label htmlFor="terms">{text.signUp.accept}</label>
        <small className="links">
          <a href={links.terms}>{text.consent.terms}</a>
          {links.privacy && <a href={links.privacy}>{text.consent.privacy}</a>}
        </small>
      </span>
    </div>
  );
}
