/** Copies whether the user wants to stay signed in from the form of the password to that of the providers. Runs in the browser. */
export const rememberAtProvider = (): void => {
  const form = document.getElementById('provider-form');
  form?.addEventListener('submit', () => {
    const box = document.querySelector<HTMLInputElement>('#remember');
    const field = form.querySelector<HTMLInputElement>('[name=remember]');
    if (box && field) field.value = box.checked ? '1' : '';
  });
};

/** Posts the answer of a provider again, from this site. Runs in the browser. */
export const postAgain = (): void => {
  const form = document.getElementById('post-again');
  if (form instanceof HTMLFormElement) form.submit();
};
