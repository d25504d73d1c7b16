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
  alreadyRegistered: {
    subject: '{product} のアカウントはすでに登録されています',
    introduction: 'このメールアドレスで {product} への登録がリクエストされましたが、すでにアカウントがあります。',
    note: 'ご本人の場合は、サインインするか、サインインページで「パスワードをお忘れですか？」を選択してください。お心当たりがない場合は、このメールを無視してください。変更はありません。',
  },
  passwordChanged: {
    subject: '{product} のパスワードが変更されました',
    introduction: '{product} のアカウント {name} のパスワードが変更されました。',
    note: 'お心当たりがない場合は、サインインページで「パスワードをお忘れですか？」を選択し、すぐに新しいパスワードを設定してください。',
  },
};
