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
      `Your password for ${store} was changed`,
      `The password of your account at ${store} was changed on ${moment(at)}. Other devices were signed out.`,
      'It was not me',
      'If it was not you, set a new password at once and write to us.',
    ),
  ko: ({ at }, { store, moment }) =>
    mail(
      `${store} 비밀번호가 변경되었습니다`,
      `${moment(at)}에 ${store} 계정의 비밀번호가 변경되었습니다. 다른 기기에서는 로그아웃되었습니다.`,
      '제가 변경하지 않았어요',
      '본인이 변경하지 않으셨다면 바로 새 비밀번호를 설정하고 문의해 주세요.',
    ),
  ja: ({ at }, { store, moment }) =>
    mail(
      `${store}のパスワードが変更されました`,
      `${moment(at)}に${store}のアカウントのパスワードが変更されました。ほかの端末からはログアウトされました。`,
      '自分では変更していません',
      'お心当たりがない場合は、すぐに新しいパスワードを設定し、お問い合わせください。',
    ),
  ar: ({ at }, { store, moment }) =>
    mail(
      `تغيّرت كلمة مرورك في ${store}`,
      `تغيّرت كلمة مرور حسابك في ${store} في ${moment(at)}، وسُجّل الخروج من الأجهزة الأخرى.`,
      'لم أفعل ذلك',
      'إن لم يكن ذلك منك فعيّن كلمة مرور جديدة فورًا وراسلنا.',
    ),
})
