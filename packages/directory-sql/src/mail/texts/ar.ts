import type { MailTexts } from './mail-texts.ts';

export const ar: MailTexts = {
  direction: 'rtl',
  confirmAddress: {
    subject: 'تأكيد بريدك الإلكتروني في {product}',
    introduction: 'أكّد عنوان البريد الإلكتروني هذا لإنشاء حسابك في {product}.',
    action: 'تأكيد البريد الإلكتروني',
    note: 'الرابط صالح لمدة {duration} ويمكن استخدامه مرة واحدة. إذا لم تسجّل، فتجاهل هذه الرسالة: لن يُنشأ أي حساب.',
  },
  resetPassword: {
    subject: 'تعيين كلمة مرور جديدة في {product}',
    introduction: 'لقد طلبت كلمة مرور جديدة للحساب {name} في {product}.',
    action: 'تعيين كلمة مرور جديدة',
    note: 'الرابط صالح لمدة {duration} ويمكن استخدامه مرة واحدة. إذا لم تطلبه، فتجاهل هذه الرسالة: لن تتغير كلمة مرورك.',
  },
  alreadyRegistered: {
    subject: 'لديك حساب بالفعل في {product}',
    introduction: 'طُلب التسجيل في {product} بعنوان البريد الإلكتروني هذا، وله حساب بالفعل.',
    note: 'إذا كان الطلب منك، فسجّل الدخول أو اختر «هل نسيت كلمة المرور؟» في صفحة تسجيل الدخول. وإلا فتجاهل هذه الرسالة: لم يتغير شيء.',
  },
  passwordChanged: {
    subject: 'تم تغيير كلمة مرورك في {product}',
    introduction: 'تم تغيير كلمة مرور حسابك {name} في {product}.',
    note: 'إذا لم تغيّرها أنت، فاختر الآن «هل نسيت كلمة المرور؟» في صفحة تسجيل الدخول لتعيين كلمة مرور جديدة.',
  },
};
