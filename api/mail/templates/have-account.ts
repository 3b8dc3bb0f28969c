import { type MailContent, mailTemplate } from '../template.ts'

const mail = (title: string, text: string, signIn: string, reset: string, note: string): MailContent => ({
  subject: title,
  title,
  blocks: [
    { kind: 'text', text },
    { kind: 'link', label: signIn, path: '/login' },
    { kind: 'link', label: reset, path: '/reset-password' },
    { kind: 'note', text: note },
  ],
})

/** To the owner of an e-mail that somebody, perhaps they, tries to join with again. It takes the place of a code. */
export const haveAccountMail = mailTemplate<Record<never, never>>('have-account', {
  en: (_, { store }) =>
    mail(
      `You already have a ${store} account`,
      `Someone tried to create a ${store} account with this email address, but one already exists. If it was you, sign in.`,
      'Sign in',
      'Reset password',
      'If it wasn’t you, you can ignore this email. Your account hasn’t changed.',
    ),
  ko: (_, { store }) =>
    mail(
      `이미 ${store} 회원이에요`,
      `이 이메일 주소로 ${store} 회원가입 요청이 있었지만 이미 가입된 주소예요. 본인이 요청했다면 로그인해 주세요.`,
      '로그인',
      '비밀번호 재설정',
      '본인이 요청하지 않았다면 이 메일을 무시해 주세요. 계정에는 변경된 내용이 없어요.',
    ),
  ja: (_, { store }) =>
    mail(
      `${store}にはすでにご登録があります`,
      `このメールアドレスで${store}への会員登録のお申し込みがありましたが、すでにアカウントがあります。ご本人の場合はログインしてください。`,
      'ログイン',
      'パスワードを忘れた場合',
      'お心当たりがない場合、何も変更されていませんので、そのままで問題ありません。',
    ),
  ar: (_, { store }) =>
    mail(
      `لديك حساب في ${store} بالفعل`,
      `طُلب إنشاء حساب في ${store} بهذا البريد الإلكتروني، لكن له حسابًا بالفعل. إن كان الطلب منك فسجّل الدخول.`,
      'تسجيل الدخول',
      'نسيت كلمة المرور',
      'إن لم يكن الطلب منك فلم يحدث شيء ولا يلزمك فعل شيء.',
    ),
})
