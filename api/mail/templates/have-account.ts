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
      `You have an account at ${store} already`,
      `Somebody wanted to join ${store} with this e-mail address, but it has an account already. If it was you, sign in.`,
      'Sign in',
      'I forgot my password',
      'If it was not you, nothing has happened and there is nothing to do.',
    ),
  ko: (_, { store }) =>
    mail(
      `${store}에 이미 가입되어 있습니다`,
      `이 이메일 주소로 ${store} 회원가입 신청이 있었지만, 이미 가입된 주소입니다. 본인이 신청하셨다면 로그인해 주세요.`,
      '로그인',
      '비밀번호를 잊었어요',
      '본인이 신청하지 않으셨다면 아무 일도 일어나지 않았으니 그대로 두셔도 됩니다.',
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
