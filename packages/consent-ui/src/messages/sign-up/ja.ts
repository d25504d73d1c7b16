import type { ReactNode } from 'react';
import { rich } from '../rich.ts';
import type { SignUpPages } from './en.ts';

export const signUpPages: SignUpPages = {
  signUp: {
    title: 'アカウントの作成',
    email: 'メールアドレス',
    name: '名前',
    nameHint: '任意',
    password: 'パスワード',
    submit: 'アカウントを作成',
    haveAccount: 'すでにアカウントをお持ちですか？',
    accept: '利用規約に同意します。',
    notAccepted: 'アカウントを作成するには、利用規約に同意してください。',
    signIn: 'サインイン',
    invalidEmail: 'name@example.com のようなメールアドレスを入力してください。',
    sentTitle: 'メールをご確認ください',
    sent: (email: ReactNode) =>
      rich`${email} にメールを送信しました。メール内のリンクを開いて、アドレスを確認してください。`,
    sentHint: '届くまでに一分ほどかかることがあります。迷惑メールのフォルダーもご確認ください。',
    resend: 'メッセージを再送信',
    wrongAddress: 'アドレスが違いますか？',
    confirmTitle: 'メールアドレスの確認',
    confirmText: 'このアドレスでアカウントを作成します。',
    confirmPasswordText: 'このアドレスでアカウントを作成し、パスワードを選んでください。',
    confirm: 'アドレスを確認',
    confirmedTitle: 'アカウントの準備ができました',
    confirmed: (name: ReactNode) => rich`${name} さん、アドレスが確認されました。サインインできます。`,
    registeredTitle: 'すでにアカウントがあります',
    registered: 'パスワードでサインインしてください。忘れた場合は、新しいパスワードを設定してください。',
  },
  recovery: {
    title: 'パスワードをお忘れですか？',
    text: 'メールアドレスを入力してください。新しいパスワードを設定するリンクを送信します。',
    login: 'メールアドレス',
    submit: 'リンクを送信',
    back: 'サインインに戻る',
    sentTitle: 'メールをご確認ください',
    sent: (login: ReactNode) => rich`${login} のアカウントがあれば、リンクを記載したメールを送信しました。`,
    passwordTitle: '新しいパスワードの設定',
    password: '新しいパスワード',
    save: 'パスワードを保存',
    doneTitle: 'パスワードを変更しました',
    done: '新しいパスワードでサインインできます。',
    forgot: 'パスワードをお忘れですか？',
    another: 'リンクをもう一度送信',
  },
  invitation: {
    title: 'ようこそ',
    text: 'アカウントの準備がもうすぐ完了します。ログインするためのパスワードを設定してください。',
    invalid:
      '使用済みか、期限切れか、より新しいリンクが送信されています。このサイトの運営者に新しい招待を依頼してください。',
  },
  links: {
    invalidTitle: 'このリンクは使用できません',
    invalid: 'すでに使用されたか、古すぎます。',
    limited: '試行回数が多すぎます。数分待ってから、もう一度お試しください。',
    offTitle: 'このページは利用できません',
    off: 'アカウントや新しいパスワードについては、このサイトの運営者にお問い合わせください。',
    continue: 'サインインへ進む',
  },
};
