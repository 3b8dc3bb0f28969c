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
      `A new password for ${store}`,
      `Somebody, most likely you, asked for a new password for your account at ${store}. Open this page to set it.`,
      'Set a new password',
      `The page opens for ${minutes} minutes and works once. If you did not ask for it, ignore this mail: your password stays as it is.`,
    ),
  ko: ({ accessKey, minutes }, { store }) =>
    mail(
      accessKey,
      `${store} 비밀번호 재설정`,
      `${store} 계정의 비밀번호 재설정 요청을 받았습니다. 아래 페이지에서 새 비밀번호를 설정해 주세요.`,
      '새 비밀번호 설정',
      `이 페이지는 ${minutes}분 동안 한 번만 사용할 수 있습니다. 요청하지 않으셨다면 이 메일을 무시해 주세요. 비밀번호는 바뀌지 않습니다.`,
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
