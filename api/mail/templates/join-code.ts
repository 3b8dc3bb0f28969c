import { type MailContent, mailTemplate } from '../template.ts'

interface JoinCode {
  code: string
  minutes: number
}

const mail = (code: string, title: string, text: string, label: string, note: string): MailContent => ({
  subject: `${title}: ${code}`,
  title,
  blocks: [
    { kind: 'text', text },
    { kind: 'code', label, code },
    { kind: 'note', text: note },
  ],
})

/** The six digits that finish a join. It holds no word of the form: who sent that may not be whose address it is. */
export const joinCodeMail = mailTemplate<JoinCode>('join-code', {
  en: ({ code, minutes }, { store }) =>
    mail(
      code,
      `Your ${store} verification code`,
      `Enter this code on the ${store} sign-up page.`,
      'Verification code',
      `This code expires in ${minutes} minutes. If you didn’t request it, you can ignore this email. No account is created without the code.`,
    ),
  ko: ({ code, minutes }, { store }) =>
    mail(
      code,
      `${store} 인증번호`,
      `${store} 회원가입 화면에 아래 인증번호를 입력해 주세요.`,
      '인증번호',
      `인증번호는 ${minutes}분 동안 쓸 수 있어요. 가입을 요청하지 않았다면 이 메일을 무시해 주세요. 인증번호를 입력하지 않으면 가입되지 않아요.`,
    ),
  ja: ({ code, minutes }, { store }) =>
    mail(
      code,
      `${store}の確認コード`,
      `${store}の会員登録画面に次の確認コードを入力してください。`,
      '確認コード',
      `コードの有効期限は${minutes}分です。登録にお心当たりがない場合は、このメールを破棄してください。コードが入力されなければ登録は完了しません。`,
    ),
  ar: ({ code, minutes }, { store }) =>
    mail(
      code,
      `رمزك في ${store}`,
      `أدخل هذا الرمز في صفحة إنشاء الحساب في ${store}.`,
      'الرمز',
      `الرمز صالح لمدة ${minutes} دقائق. إن لم تطلب إنشاء حساب فتجاهل هذه الرسالة: لا يحدث شيء من دون الرمز.`,
    ),
})
