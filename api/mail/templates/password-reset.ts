import { type MailContent, mailTemplate } from '../template.ts'

interface PasswordReset {
  accessKey: string
  minutes: number
}

const mail = (accessKey: string, title: string, text: string, label: string, note: string): MailContent => ({
  subject: title,
  title,
  blocks: [
    { kind: 'text', text },
    { kind: 'link', label, path: `/reset-password?key=${encodeURIComponent(accessKey)}` },
    { kind: 'note', text: note },
  ],
})

/** The way to a new password. */
export const passwordResetMail = mailTemplate<PasswordReset>('password-reset', {
  en: ({ accessKey, minutes }, { store }) =>
    mail(
      accessKey,
      `Reset your ${store} password`,
      `We received a request to reset the password for your ${store} account. Use the link below to set a new one.`,
      'Reset password',
      `This link expires in ${minutes} minutes and works only once. If you didn’t request it, you can ignore this email. Your password won’t change.`,
    ),
  ko: ({ accessKey, minutes }, { store }) =>
    mail(
      accessKey,
      `${store} 비밀번호 재설정`,
      `${store} 계정의 비밀번호 재설정 요청을 받았어요. 아래 링크에서 새 비밀번호를 설정해 주세요.`,
      '새 비밀번호 설정',
      `링크는 ${minutes}분 동안 한 번만 쓸 수 있어요. 요청하지 않았다면 이 메일을 무시해 주세요. 비밀번호는 변경되지 않아요.`,
    ),
  ja: ({ accessKey, minutes }, { store }) =>
    mail(
      accessKey,
      `${store}のパスワード再設定`,
      `${store}のアカウントのパスワード再設定の申請を受け付けました。次のページで新しいパスワードを設定してください。`,
      '新しいパスワードを設定する',
      `このページは${minutes}分間、1回だけご利用いただけます。お心当たりがない場合は、このメールを破棄してください。パスワードは変わりません。`,
    ),
  ar: ({ accessKey, minutes }, { store }) =>
    mail(
      accessKey,
      `كلمة مرور جديدة في ${store}`,
      `تلقّينا طلبًا لتعيين كلمة مرور جديدة لحسابك في ${store}. افتح هذه الصفحة لتعيينها.`,
      'تعيين كلمة مرور جديدة',
      `تُفتح الصفحة لمدة ${minutes} دقائق وتُستخدم مرة واحدة. إن لم تطلب ذلك فتجاهل هذه الرسالة: تبقى كلمة مرورك كما هي.`,
    ),
})
