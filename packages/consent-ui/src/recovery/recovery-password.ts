import { passwordLinkPages } from './password-link.tsx';

/** GET and POST of /recovery/password?token=...: the page of an emailed link. */
export const recoveryPassword = passwordLinkPages({
  path: '/recovery/password',
  inspect: (accounts, token) => accounts.recovery.inspect({ token }),
  setPassword: (accounts, input) => accounts.recovery.confirm(input),
  texts: ({ text: { recovery, links } }) => ({
    form: { title: recovery.passwordTitle },
    invalid: {
      title: links.invalidTitle,
      text: links.invalid,
      action: { id: 'again', label: recovery.another, href: '/recovery' },
    },
    done: { title: recovery.doneTitle, text: recovery.done },
  }),
});
