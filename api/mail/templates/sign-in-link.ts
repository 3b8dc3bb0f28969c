import { type MailContent, mailTemplate } from '../template.ts'

interface SignInLink {
  key: string
  minutes: number
}

const mail = (key: string, title: string, text: string, label: string, note: string): MailContent => ({
  subject: title,
  title,
  blocks: [
    { kind: 'text', text },
    { kind: 'link', label, path: `/login?key=${encodeURIComponent(key)}` },
    { kind: 'note', text: note },
  ],
})

/** Lets the owner sign in on a new device while wrong passwords are tried elsewhere. */
export const signInLinkMail = mailTemplate<SignInLink>('sign-in-link', {
  en: ({ key, minutes }, { store }) =>
    mail(
      key,
      `Sign in to ${store} on a new device`,
      `Someone is trying to sign in to your ${store} account on a new device. If it’s you, open the link below on that device and enter your password.`,
      'Sign in on this device',
      `This link expires in ${minutes} minutes. If it wasn’t you, you can ignore this email. Nobody can sign in without your password.`,
    ),
  ko: ({ key, minutes }, { store }) =>
    mail(
      key,
      `${store} 새 기기 로그인`,
      `아직 등록되지 않은 기기에서 ${store} 계정 로그인을 요청했습니다. 로그인할 기기에서 아래 페이지를 열고 비밀번호를 입력해 주세요.`,
      '이 기기에서 로그인',
      `링크는 ${minutes}분 동안 사용할 수 있습니다. 요청하지 않으셨다면 이 메일을 무시해 주세요. 비밀번호 없이는 아무도 로그인할 수 없습니다.`,
    ),
  ja: ({ key, minutes }, { store }) =>
    mail(
      key,
      `${store}：新しい端末でのログイン`,
      `まだ登録されていない端末から、${store}のアカウントへのログインが求められました。ログインする端末で次のページを開き、パスワードを入力してください。`,
      'この端末でログインする',
      `リンクの有効期限は${minutes}分です。お心当たりがない場合は、このメールを破棄してください。パスワードがなければ誰もログインできません。`,
    ),
  ar: ({ key, minutes }, { store }) =>
    mail(
      key,
      `تسجيل الدخول إلى ${store} من جهاز جديد`,
      `طُلب تسجيل الدخول إلى حسابك في ${store} من جهاز لا نعرفه بعد. افتح هذه الصفحة على ذلك الجهاز وأدخل كلمة مرورك.`,
      'تسجيل الدخول من هذا الجهاز',
      `يعمل الرابط لمدة ${minutes} دقيقة. إن لم تطلب ذلك فتجاهل هذه الرسالة: لا يمكن لأحد الدخول من دون كلمة مرورك.`,
    ),
})
