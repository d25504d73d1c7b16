import type { ReactNode } from 'react';
import { rich } from '../rich.ts';
import type { ProviderPages } from './en.ts';

export const providerPages: ProviderPages = {
  providers: {
    continueWith: (label: string) => `المتابعة باستخدام ${label}`,
    oneMoreStep: 'خطوة أخيرة',
    postAgain: 'تابع لإكمال تسجيل الدخول.',
    otherWay: 'تسجيل الدخول بطريقة أخرى',
    deniedTitle: 'لم يتم تسجيل دخولك',
    denied: (label: ReactNode) => rich`أُلغي تسجيل الدخول باستخدام ${label} أو رُفض.`,
    failedTitle: 'تعذّر تسجيل دخولك',
    failed: (label: ReactNode) =>
      rich`تعذّر تسجيل الدخول باستخدام ${label}. حاول مرة أخرى بعد قليل، أو سجّل الدخول بطريقة أخرى.`,
    unknownTitle: 'ليس لديك حساب هنا',
    unknown: (label: ReactNode) =>
      rich`الحساب الذي استخدمته لدى ${label} غير مرتبط بأي حساب هنا. استخدم حسابًا آخر، أو تواصل مع مشغّل هذا الموقع.`,
    firstTime: (label: ReactNode) => rich`هذه أول مرة تسجّل فيها الدخول باستخدام ${label}. سيُنشأ حساب بهذه البيانات.`,
    link: (label: ReactNode) => rich`يوجد حساب بهذا العنوان. سجّل الدخول لربط ${label} به.`,
    section: 'خدمات تسجيل الدخول',
    sectionText: 'حساباتك لدى خدمات أخرى التي تسجّل بها الدخول هنا.',
    connect: (label: string) => `ربط ${label}`,
    connectText: (label: ReactNode) => rich`ستسجّل الدخول لدى ${label}. بعد ذلك يمكنك استخدامه لتسجيل الدخول هنا.`,
    connected: (date: string) => `رُبط في ${date}`,
    notConnectedTitle: 'لم يُربط أي حساب',
    notConnected: 'ربما يكون هذا الحساب مرتبطًا بمستخدم آخر، أو استغرق تسجيل الدخول وقتًا طويلًا. حاول مرة أخرى.',
    notConnectedDenied: 'أُلغي تسجيل الدخول لدى الخدمة أو رُفض.',
    notConnectedFailed: 'الخدمة لا تستجيب، أو أن ردّها غير صالح. حاول مرة أخرى بعد قليل.',
    lastWayTitle: 'هذه طريقتك الوحيدة لتسجيل الدخول',
    lastWay: 'أضف طريقة أخرى لتسجيل الدخول أولًا. بعد ذلك يمكنك إزالة هذه الطريقة.',
  },
};
