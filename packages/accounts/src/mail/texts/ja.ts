import type { MailTexts } from './mail-texts.ts';

export const ja: MailTexts = {
  direction: 'ltr',
  confirmAddress: {
    subject: '{product} のメールアドレスの確認',
    introduction: '{product} のアカウントを作成するには、このメールアドレスを確認してください。',
    action: 'メールアドレスを確認する',
    note: 'リンクの有効期間は {duration} で、一度だけ使用できます。お心当たりがない場合は、このメールを無視してください。アカウントは作成されません。',
  },
  resetPassword: {
    subject: '{product} の新しいパスワードの設定',
    introduction: '{product} のアカウント {name} の新しいパスワードがリクエストされました。',
    action: '新しいパスワードを設定する',
    note: 'リンクの有効期間は {duration} で、一度だけ使用できます。お心当たりがない場合は、このメールを無視してください。パスワードは変更されません。',
  },
  invitation: {
    subject: '{product} のアカウント',
    introduction:
      '{product} にあなたのアカウント {name} が作成されました。ログインするには、パスワードを設定してください。',
    action: 'パスワードを設定する',
    note: 'リンクの有効期間は{duration}で、1 回だけ使用できます。{product} に心当たりがない場合は、このメールを無視してください。',
  },
  signInCode: {
    subject: '{product} のコード',
    introduction: '{product} に {name} としてログインするには、次のコードを入力してください。',
    note: 'コードの有効期間は{duration}で、1 回だけ使用できます。だれにも教えないでください。ログインの操作をしていない場合は、ほかの人がパスワードを知っています。今すぐパスワードを変更してください。',
  },
  emailSignInCode: {
    subject: '{product} のコード',
    introduction: '{product} に {name} としてログインするには、次のコードを入力してください。',
    note: 'コードの有効期間は{duration}で、リクエストしたブラウザーで 1 回だけ使用できます。だれにも教えないでください。心当たりがない場合は、このメールを無視してください。コードがなければ、だれもログインできません。',
  },
  alreadyRegistered: {
    subject: '{product} のアカウントはすでに登録されています',
    introduction: 'このメールアドレスで {product} への登録がリクエストされましたが、すでにアカウントがあります。',
    note: 'ご本人の場合は、サインインするか、サインインページで「パスワードをお忘れですか？」を選択してください。お心当たりがない場合は、このメールを無視してください。変更はありません。',
  },
  confirmNewAddress: {
    subject: '{product} の新しいメールアドレスの確認',
    introduction: '{product} のアカウントでこのメールアドレスを使用することがリクエストされました。',
    action: 'メールアドレスを確認する',
    note: 'リンクの有効期間は {duration} で、リクエストしたブラウザーで一度だけ使用できます。お心当たりがない場合は、このメールを無視してください。何も変更されません。',
  },
  addressTaken: {
    subject: 'このメールアドレスには {product} のアカウントがすでにあります',
    introduction:
      '{product} の利用者がこのメールアドレスの使用をリクエストしましたが、すでに別のアカウントで使用されています。',
    note: 'ご本人の場合は、このアドレスでサインインするか、別のアドレスを選択してください。お心当たりがない場合は、このメールを無視してください。変更はありません。',
  },
  emailChangeRequested: {
    subject: '{product} のアカウントの新しいメールアドレスがリクエストされました',
    introduction:
      '{product} のアカウント {name} の新しいメールアドレスがリクエストされました。確認されると、このアドレスと置き換わります。',
    note: 'お心当たりがない場合は、すぐにパスワードを変更してください。新しいアドレスは確認できなくなります。',
  },
  emailChanged: {
    subject: '{product} のアカウントのメールアドレスが変更されました',
    introduction:
      '{product} のアカウントのメールアドレス {name} は、別のアドレスに変更されました。今後は新しいアドレスでサインインします。',
    note: 'お心当たりがない場合は、すぐに {product} の管理者にご連絡ください。',
  },
  passwordChanged: {
    subject: '{product} のパスワードが変更されました',
    introduction: '{product} のアカウント {name} のパスワードが変更されました。',
    note: 'お心当たりがない場合は、サインインページで「パスワードをお忘れですか？」を選択し、すぐに新しいパスワードを設定してください。',
    noteWithoutRecovery: 'お心当たりがない場合は、すぐに {product} の管理者にご連絡ください。',
  },
  factorAdded: {
    subject: '{product} のアカウントにサインイン方法が追加されました',
    introduction: '{product} のアカウント {name} に次のサインイン方法が追加されました: {factor}',
    note: 'お心当たりがない場合は、すぐにパスワードを変更し、アカウントページでこのサインイン方法を削除してください。',
  },
  factorRemoved: {
    subject: '{product} のアカウントからサインイン方法が削除されました',
    introduction: '{product} のアカウント {name} から次のサインイン方法が削除されました: {factor}',
    note: 'お心当たりがない場合は、すぐにパスワードを変更し、アカウントページでサインイン方法を確認してください。',
  },
  factorsReset: {
    subject: '{product} の 2 段階認証が削除されました',
    introduction: '{product} のアカウント {name} の 2 段階認証とパスキーが、管理者によってすべて削除されました。',
    note: 'お心当たりがない場合は、すぐにパスワードを変更し、{product} の管理者にご連絡ください。',
  },
  deletionRequested: {
    subject: '{product} のアカウントは削除されます',
    introduction:
      '{product} のアカウント {name} の削除がリクエストされました。{date} に、すべてのデータとともに削除されます。すべての場所でサインアウトしました。',
    note: 'アカウントを残すには、その日より前にサインインしてください。お心当たりがない場合は、アカウントを残し、パスワードを変更してください。',
  },
  factors: {
    totp: '認証アプリ',
    hotp: 'コードトークン',
    pin: 'PIN',
    recovery_code: '新しい回復コード',
    passkey: 'パスキー',
    email: 'メールで届くコード',
  },
};
