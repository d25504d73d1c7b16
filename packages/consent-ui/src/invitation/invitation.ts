import { passwordLinkPages } from '../recovery/password-link.tsx';

/** GET and POST of /invitation?token=...: a new user chooses the password. */
export const invitation = passwordLinkPages({
  path: '/invitation',
  inspect: (accounts, token) => accounts.invitation.inspect({ token }),
  setPassword: (accounts, input) => accounts.invitation.accept(input),
  texts: ({ text: { invitation: texts, signUp, recovery, links } }) => ({
    form: { title: texts.title, text: texts.text },
    invalid: { title: links.invalidTitle, text: texts.invalid },
    done: { title: signUp.confirmedTitle, text: recovery.done },
  }),
});
