import type { AccessMessages } from './en.ts';

export const ja: AccessMessages = {
  ended: 'セッションが終了しました',
  endedForm: '何も変更されていません。サインインして、フォームをもう一度送信してください。',
  signIn: 'サインイン',
  signOut: 'サインアウト',
  noAccess: 'アクセス権がありません',
  withoutRole: 'サインインしていますが、このコンソールの権限がありません。管理者にアクセス権を依頼してください。',
  failed: 'サインインできませんでした',
  otherBrowser: 'サインインに時間がかかりすぎたか、別のブラウザーまたはタブで開始されました。',
  refused: 'サインインは完了しませんでした。詳細はサーバーのログにあります。',
  signedOut: 'サインアウトしました',
  signedOutText:
    'コンソールからサインアウトしました。アプリケーションやサインインページは、まだサインイン状態を覚えている場合があります。',
  signOutEverywhere: 'そちらからもサインアウト',
};
