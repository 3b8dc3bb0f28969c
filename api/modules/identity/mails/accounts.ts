import { type MailContent, mailTemplate } from '#api/platform/mail/template.ts'

const haveAccountContent = (title: string, text: string, signIn: string, reset: string, note: string): MailContent => ({
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
    haveAccountContent(
      `You already have a ${store} account`,
      `Someone tried to create a ${store} account with this email address, but one already exists. If it was you, sign in.`,
      'Sign in',
      'Reset password',
      'If it wasn’t you, you can ignore this email. Your account hasn’t changed.',
    ),
  ko: (_, { store }) =>
    haveAccountContent(
      `이미 ${store} 회원이에요`,
      `이 이메일 주소로 ${store} 회원가입 요청이 있었지만 이미 가입된 주소예요. 본인이 요청했다면 로그인해 주세요.`,
      '로그인',
      '비밀번호 재설정',
      '본인이 요청하지 않았다면 이 메일을 무시해 주세요. 계정에는 변경된 내용이 없어요.',
    ),
  ja: (_, { store }) =>
    haveAccountContent(
      `${store}にはすでにご登録があります`,
      `このメールアドレスで${store}への会員登録のお申し込みがありましたが、すでにアカウントがあります。ご本人の場合はログインしてください。`,
      'ログイン',
      'パスワードを忘れた場合',
      'お心当たりがない場合、何も変更されていませんので、そのままで問題ありません。',
    ),
  ar: (_, { store }) =>
    haveAccountContent(
      `لديك حساب في ${store} بالفعل`,
      `طُلب إنشاء حساب في ${store} بهذا البريد الإلكتروني، لكن له حسابًا بالفعل. إن كان الطلب منك فسجّل الدخول.`,
      'تسجيل الدخول',
      'نسيت كلمة المرور',
      'إن لم يكن الطلب منك فلم يحدث شيء ولا يلزمك فعل شيء.',
    ),
})

interface Welcome {
  name: string
}

const welcomeContent = (title: string, text: string, open: string, profile: string): MailContent => ({
  subject: title,
  title,
  blocks: [
    { kind: 'text', text },
    { kind: 'link', label: open, path: '/' },
    { kind: 'link', label: profile, path: '/mypages/profile' },
  ],
})

/** After a join. */
export const welcomeMail = mailTemplate<Welcome>('welcome', {
  en: ({ name }, { store }) =>
    welcomeContent(
      `Welcome to ${store}`,
      `${name ? `Hi ${name}` : 'Hi'}, your account is ready. Your purchases, wish list, and watch history stay with you on every device.`,
      `Go to ${store}`,
      'View profile',
    ),
  ko: ({ name }, { store }) =>
    welcomeContent(
      `${store} 회원이 되신 것을 환영해요`,
      `${name ? `${name}님, ` : ''}회원가입이 완료됐어요. 구매한 상품, 찜한 상품, 시청 기록을 모든 기기에서 볼 수 있어요.`,
      `${store} 바로가기`,
      '프로필 보기',
    ),
  ja: ({ name }, { store }) =>
    welcomeContent(
      `${store}へようこそ`,
      `${name ? `${name}様、` : ''}会員登録が完了しました。購入、お気に入り、視聴の記録は、どの端末でもご利用いただけます。`,
      `${store}を開く`,
      '会員情報を見る',
    ),
  ar: ({ name }, { store }) =>
    welcomeContent(
      `أهلًا بك في ${store}`,
      `${name ? `مرحبًا ${name}` : 'مرحبًا'}، اكتملت عضويتك. ما تشتريه وتضيفه إلى المفضلة وتشاهده يبقى مع حسابك على كل أجهزتك.`,
      `افتح ${store}`,
      'عرض ملفي الشخصي',
    ),
})

interface PasswordReset {
  accessKey: string
  minutes: number
}

const passwordResetContent = (
  accessKey: string,
  title: string,
  text: string,
  label: string,
  note: string,
): MailContent => ({
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
    passwordResetContent(
      accessKey,
      `Reset your ${store} password`,
      `We received a request to reset the password for your ${store} account. Use the link below to set a new one.`,
      'Reset password',
      `This link expires in ${minutes} minutes and works only once. If you didn’t request it, you can ignore this email. Your password won’t change.`,
    ),
  ko: ({ accessKey, minutes }, { store }) =>
    passwordResetContent(
      accessKey,
      `${store} 비밀번호 재설정`,
      `${store} 계정의 비밀번호 재설정 요청을 받았어요. 아래 링크에서 새 비밀번호를 설정해 주세요.`,
      '새 비밀번호 설정',
      `링크는 ${minutes}분 동안 한 번만 쓸 수 있어요. 요청하지 않았다면 이 메일을 무시해 주세요. 비밀번호는 변경되지 않아요.`,
    ),
  ja: ({ accessKey, minutes }, { store }) =>
    passwordResetContent(
      accessKey,
      `${store}のパスワード再設定`,
      `${store}のアカウントのパスワード再設定の申請を受け付けました。次のページで新しいパスワードを設定してください。`,
      '新しいパスワードを設定する',
      `このページは${minutes}分間、1回だけご利用いただけます。お心当たりがない場合は、このメールを破棄してください。パスワードは変わりません。`,
    ),
  ar: ({ accessKey, minutes }, { store }) =>
    passwordResetContent(
      accessKey,
      `كلمة مرور جديدة في ${store}`,
      `تلقّينا طلبًا لتعيين كلمة مرور جديدة لحسابك في ${store}. افتح هذه الصفحة لتعيينها.`,
      'تعيين كلمة مرور جديدة',
      `تُفتح الصفحة لمدة ${minutes} دقائق وتُستخدم مرة واحدة. إن لم تطلب ذلك فتجاهل هذه الرسالة: تبقى كلمة مرورك كما هي.`,
    ),
})

interface PasswordChanged {
  /** ISO 8601. */
  at: string
}

const passwordChangedContent = (title: string, text: string, label: string, note: string): MailContent => ({
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
    passwordChangedContent(
      `Your ${store} password was changed`,
      `The password for your ${store} account was changed on ${moment(at)}. Your other devices were signed out.`,
      'Reset password',
      'If this wasn’t you, reset your password right away and contact our support team.',
    ),
  ko: ({ at }, { store, moment }) =>
    passwordChangedContent(
      `${store} 비밀번호가 변경됐어요`,
      `${moment(at)}에 ${store} 계정의 비밀번호가 변경됐어요. 다른 기기에서는 로그아웃됐어요.`,
      '비밀번호 재설정',
      '본인이 변경하지 않았다면 바로 비밀번호를 재설정하고 고객센터에 문의해 주세요.',
    ),
  ja: ({ at }, { store, moment }) =>
    passwordChangedContent(
      `${store}のパスワードが変更されました`,
      `${moment(at)}に${store}のアカウントのパスワードが変更されました。ほかの端末からはログアウトされました。`,
      'パスワードを再設定する',
      'お心当たりがない場合は、すぐに新しいパスワードを設定し、お問い合わせください。',
    ),
  ar: ({ at }, { store, moment }) =>
    passwordChangedContent(
      `تغيّرت كلمة مرورك في ${store}`,
      `تغيّرت كلمة مرور حسابك في ${store} في ${moment(at)}، وسُجّل الخروج من الأجهزة الأخرى.`,
      'إعادة تعيين كلمة المرور',
      'إن لم يكن ذلك منك فعيّن كلمة مرور جديدة فورًا وراسلنا.',
    ),
})

interface SignInLink {
  key: string
  minutes: number
}

const signInLinkContent = (key: string, title: string, text: string, label: string, note: string): MailContent => ({
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
    signInLinkContent(
      key,
      `Sign in to ${store} on a new device`,
      `Someone is trying to sign in to your ${store} account on a new device. If it’s you, open the link below on that device and enter your password.`,
      'Sign in on this device',
      `This link expires in ${minutes} minutes. If it wasn’t you, you can ignore this email. Nobody can sign in without your password.`,
    ),
  ko: ({ key, minutes }, { store }) =>
    signInLinkContent(
      key,
      `${store} 새 기기 로그인`,
      `아직 등록되지 않은 기기에서 ${store} 계정 로그인을 요청했습니다. 로그인할 기기에서 아래 페이지를 열고 비밀번호를 입력해 주세요.`,
      '이 기기에서 로그인',
      `링크는 ${minutes}분 동안 사용할 수 있습니다. 요청하지 않으셨다면 이 메일을 무시해 주세요. 비밀번호 없이는 아무도 로그인할 수 없습니다.`,
    ),
  ja: ({ key, minutes }, { store }) =>
    signInLinkContent(
      key,
      `${store}：新しい端末でのログイン`,
      `まだ登録されていない端末から、${store}のアカウントへのログインが求められました。ログインする端末で次のページを開き、パスワードを入力してください。`,
      'この端末でログインする',
      `リンクの有効期限は${minutes}分です。お心当たりがない場合は、このメールを破棄してください。パスワードがなければ誰もログインできません。`,
    ),
  ar: ({ key, minutes }, { store }) =>
    signInLinkContent(
      key,
      `تسجيل الدخول إلى ${store} من جهاز جديد`,
      `طُلب تسجيل الدخول إلى حسابك في ${store} من جهاز لا نعرفه بعد. افتح هذه الصفحة على ذلك الجهاز وأدخل كلمة مرورك.`,
      'تسجيل الدخول من هذا الجهاز',
      `يعمل الرابط لمدة ${minutes} دقيقة. إن لم تطلب ذلك فتجاهل هذه الرسالة: لا يمكن لأحد الدخول من دون كلمة مرورك.`,
    ),
})

interface JoinCode {
  code: string
  minutes: number
}

const joinCodeContent = (code: string, title: string, text: string, label: string, note: string): MailContent => ({
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
    joinCodeContent(
      code,
      `Your ${store} verification code`,
      `Enter this code on the ${store} sign-up page.`,
      'Verification code',
      `This code expires in ${minutes} minutes. If you didn’t request it, you can ignore this email. No account is created without the code.`,
    ),
  ko: ({ code, minutes }, { store }) =>
    joinCodeContent(
      code,
      `${store} 인증번호`,
      `${store} 회원가입 화면에 아래 인증번호를 입력해 주세요.`,
      '인증번호',
      `인증번호는 ${minutes}분 동안 쓸 수 있어요. 가입을 요청하지 않았다면 이 메일을 무시해 주세요. 인증번호를 입력하지 않으면 가입되지 않아요.`,
    ),
  ja: ({ code, minutes }, { store }) =>
    joinCodeContent(
      code,
      `${store}の確認コード`,
      `${store}の会員登録画面に次の確認コードを入力してください。`,
      '確認コード',
      `コードの有効期限は${minutes}分です。登録にお心当たりがない場合は、このメールを破棄してください。コードが入力されなければ登録は完了しません。`,
    ),
  ar: ({ code, minutes }, { store }) =>
    joinCodeContent(
      code,
      `رمزك في ${store}`,
      `أدخل هذا الرمز في صفحة إنشاء الحساب في ${store}.`,
      'الرمز',
      `الرمز صالح لمدة ${minutes} دقائق. إن لم تطلب إنشاء حساب فتجاهل هذه الرسالة: لا يحدث شيء من دون الرمز.`,
    ),
})
