import { type MailContent, mailTemplate } from '../template.ts'

interface PasswordChanged {
  /** ISO 8601. */
  at: string
}

const mail = (title: string, text: string, label: string, note: string): MailContent => ({
  subject: title,
  title,
  blocks: [
    { kind: 'text', text },
    { kind: 'note', text: note },
    { kind: 'link', label, path: '/reset-password' },
  ],
})

/** After a password was set anew or changed: whoever did not do it learns of it. */
export const passwordChangedMail = mailTemplate<PasswordChanged>('password-changed', {
  en: ({ at }, { store, moment }) =>
    mail(
      `Your ${store} password was changed`,
      `The password for your ${store} account was changed on ${moment(at)}. Your other devices were signed out.`,
      'Reset password',
      'If this wasn’t you, reset your password right away and contact our support team.',
    ),
  ko: ({ at }, { store, moment }) =>
    mail(
      `${store} 비밀번호가 변경됐어요`,
      `${moment(at)}에 ${store} 계정의 비밀번호가 변경됐어요. 다른 기기에서는 로그아웃됐어요.`,
      '비밀번호 재설정',
      '본인이 변경하지 않았다면 바로 비밀번호를 재설정하고 고객센터에 문의해 주세요.',
    ),
  ja: ({ at }, { store, moment }) =>
    mail(
      `${store}のパスワードが変更されました`,
      `${moment(at)}に${store}のアカウントのパスワードが変更されました。ほかの端末からはログアウトされました。`,
      'パスワードを再設定する',
      'お心当たりがない場合は、すぐに新しいパスワードを設定し、お問い合わせください。',
    ),
  ar: ({ at }, { store, moment }) =>
    mail(
      `تغيّرت كلمة مرورك في ${store}`,
      `تغيّرت كلمة مرور حسابك في ${store} في ${moment(at)}، وسُجّل الخروج من الأجهزة الأخرى.`,
      'إعادة تعيين كلمة المرور',
      'إن لم يكن ذلك منك فعيّن كلمة مرور جديدة فورًا وراسلنا.',
    ),
})
