import type { ReactNode } from 'react';
import { rich } from '../rich.ts';
import type { ProviderPages } from './en.ts';

export const providerPages: ProviderPages = {
  providers: {
    continueWith: (label: string) => `${label} で続行`,
    oneMoreStep: 'あと 1 ステップです',
    postAgain: '続行してサインインを完了してください。',
    otherWay: '別の方法でサインイン',
    deniedTitle: 'サインインしていません',
    denied: (label: ReactNode) => rich`${label} でのサインインはキャンセルされたか、拒否されました。`,
    failedTitle: 'サインインできませんでした',
    failed: (label: ReactNode) =>
      rich`${label} でのサインインに失敗しました。しばらくしてからもう一度試すか、別の方法でサインインしてください。`,
    unknownTitle: 'このサイトのアカウントがありません',
    unknown: (label: ReactNode) =>
      rich`使用した ${label} のアカウントは、このサイトのどのアカウントにも連携されていません。別のアカウントを使用するか、サイトの運営者にお問い合わせください。`,
    firstTime: (label: ReactNode) => rich`${label} での初めてのサインインです。次の内容でアカウントを作成します。`,
    link: (label: ReactNode) =>
      rich`このアドレスのアカウントはすでに存在します。${label} を連携するには、サインインしてください。`,
    section: 'サインインに使う外部サービス',
    sectionText: 'このサイトへのサインインに使用する、他のサービスのアカウントです。',
    connect: (label: string) => `${label} を連携`,
    connectText: (label: ReactNode) =>
      rich`${label} にサインインします。その後は、このサイトへのサインインにも使用できます。`,
    connected: (date: string) => `${date} に連携`,
    notConnectedTitle: '連携されませんでした',
    notConnected:
      'そのアカウントがすでに別のユーザーに連携されているか、サインインに時間がかかりすぎました。もう一度お試しください。',
    notConnectedDenied: '外部サービスでのサインインはキャンセルされたか、拒否されました。',
    notConnectedFailed: '外部サービスが応答しないか、応答が正しくありません。しばらくしてからもう一度お試しください。',
    lastWayTitle: 'これが唯一のサインイン方法です',
    lastWay: '先に別のサインイン方法を追加してください。その後、この方法を削除できます。',
  },
};
