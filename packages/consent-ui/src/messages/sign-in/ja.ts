import type { ReactNode } from 'react';
import type { Messages } from '../en.ts';
import { plural } from '../plural.ts';
import { rich } from '../rich.ts';

const minutes = plural('ja', { other: '#分' });

export const signInPages = {
  login: {
    title: 'サインイン',
    to: (client: ReactNode) => rich`${client} に進みます`,
    name: 'メールアドレスまたはユーザー名',
    password: 'パスワード',
    showPassword: 'パスワードを表示',
    remember: 'このデバイスでサインインしたままにする',
    rememberDetail: '次回もここに表示されます。',
    submit: 'サインイン',
    next: '続ける',
    cancel: 'キャンセル',
    or: 'または',
    notYou: 'ご本人ではありませんか？',
    useAnother: '別のアカウントを使用',
    wrong: 'ユーザー名またはパスワードが正しくありません。',
    tooMany: (count: number) => `試行回数が多すぎます。${minutes(count)}後にもう一度お試しください。`,
  },
  emailSignIn: {
    send: '代わりにメールでコードを受け取る',
    title: 'メールのコードを入力',
    text: 'このアカウントが存在し、メールアドレスが確認済みの場合は、コードを送信しました。届くまで 1 分ほどかかることがあります。',
    usedUp: 'コードの誤入力が多すぎます。新しいコードを送信してください。',
    expired: 'このコードの有効期限が切れました。もう一度リクエストしてください。',
    nameMissing: 'メールアドレスまたはユーザー名を入力してください。',
    noPassword: '空欄にすると、メールのコードでサインインできます。',
  },
  chooser: {
    title: 'アカウントの選択',
    forget: (account: string) => `${account} をこのデバイスから削除`,
  },
  consent: {
    title: (client: string) => `${client} を許可しますか？`,
    heading: 'アクセスを許可しますか？',
    wants: (client: ReactNode) => rich`${client} があなたのアカウントの使用を求めています。`,
    wantsForDevice: (client: ReactNode) =>
      rich`${client} が、コードを入力したデバイスであなたのアカウントの使用を求めています。`,
    publishedBy: (host: ReactNode) => rich`公開元：${host}`,
    returnTo: (receiver: ReactNode) => rich`戻り先：${receiver}`,
    app: (scheme: string) => `このデバイスのアプリ（${scheme}）`,
    thisComputer: (host: string) => `このコンピューター（${host}）`,
    localCaution:
      'このアプリケーションはお使いのコンピューターで動作し、その名前はどのプログラムでも使えます。' +
      'ご自身でサインインを始めた場合にのみ許可してください。',
    deviceCaution:
      'ご自分のデバイスで、ご自身で始めた場合にのみ許可してください。ほかの人に頼まれて許可しないでください。',
    willAllow: (client: string) => `${client} に許可される操作`,
    willShare: (client: string, claims: string) => `次の情報も ${client} と共有されます：${claims}`,
    remember: '次回から確認しない',
    allow: 'アクセスを許可',
    deny: '拒否',
    privacy: 'プライバシーポリシー',
    terms: '利用規約',
  },
  organizations: {
    title: '組織を選択',
    text: '複数の組織に所属しています。どの組織でログインしますか？',
  },
  scopes: {
    openid: 'あなたが誰かの確認',
    profile: '名前とプロフィールの表示',
    email: 'メールアドレスの表示',
    address: '住所の表示',
    phone: '電話番号の表示',
    offline_access: 'あなたが使っていない間のアクセスの維持',
    groups: 'グループの確認',
    roles: 'ロールの確認',
    organization: 'ログインする組織の確認',
  },
  claims: {
    name: '名前',
    family_name: '姓',
    given_name: '名',
    middle_name: 'ミドルネーム',
    nickname: 'ニックネーム',
    preferred_username: 'ユーザー名',
    profile: 'プロフィールページ',
    picture: '写真',
    website: 'ウェブサイト',
    gender: '性別',
    birthdate: '生年月日',
    zoneinfo: 'タイムゾーン',
    locale: '言語',
    updated_at: '最終更新日',
    email: 'メールアドレス',
    email_verified: 'メールアドレスの確認状況',
    address: '住所',
    phone_number: '電話番号',
    phone_number_verified: '電話番号の確認状況',
    groups: 'グループ',
    roles: 'ロール',
  },
  device: {
    title: 'デバイスの接続',
    confirmTitle: 'デバイスのコードと一致しますか？',
    lead: 'デバイスに表示されているコードを入力してください。',
    confirmLead: '続ける前に、デバイスに表示されているコードと比べてください。',
    code: 'コード',
    caution:
      'ご自分のデバイスで始めた場合にのみ続けてください。コードやリンクがほかの人から送られてきた場合は、' +
      'このページを閉じてください。続けると、その人があなたのアカウントにアクセスできるようになります。',
    submit: '続ける',
    confirmSubmit: 'はい、続けます',
    wrong:
      'このコードのデバイスはありません。コードは数分で期限切れになります。コードを確認するか、新しいコードを取得してください。',
    tooMany:
      '入力されたコードが多すぎます。しばらく待ってから、デバイスに表示されているアドレスでもう一度始めてください。',
    requestedBy: 'アプリケーション',
    requestedAt: '要求日時',
    requestedFrom: '要求元',
    notMe: '心当たりがありません',
    notMeTitle: '何も接続されていません',
    notMeText:
      '誰かがあなたのアカウントにアクセスするために、リンクやコードを送った可能性があります。このページを閉じ、コードをどこにも入力しないでください。',
    connectedTitle: 'デバイスが接続されました',
    connectedText: 'デバイスに戻ってください。このページは閉じてかまいません。',
  },
  logout: {
    title: 'サインアウト',
    heading: 'サインアウトしますか？',
    asks: (client: ReactNode) => rich`${client} がサインアウトを求めています。`,
    endsSession: 'このデバイスでのセッションを終了します。',
    again: '次回はもう一度サインインが必要です。',
    submit: 'サインアウト',
    stay: 'サインインしたままにする',
    stayedTitle: 'サインインしたままです',
    stayedText: '何も変更されていません。このページは閉じてかまいません。',
  },
  expired: {
    reason: '長時間開いたままだったか、すでに完了しています。',
    signIn: {
      title: 'このサインインは期限切れです',
      label: 'もう一度始める',
      withLink: '問題ありません。もう一度始めてください。',
      withoutLink: 'アプリケーションに戻り、そこからサインインしてください。',
      withoutLinkOnDevice: 'デバイスに戻り、そこからもう一度始めてください。',
    },
    signOut: {
      title: 'このサインアウトは期限切れです',
      label: 'もう一度サインアウト',
      withLink: 'まだサインインしている可能性があります。念のため、もう一度サインアウトしてください。',
      withoutLink: 'まだサインインしている可能性があります。アプリケーションに戻り、そこからサインアウトしてください。',
    },
  },
} satisfies Partial<Messages>;
