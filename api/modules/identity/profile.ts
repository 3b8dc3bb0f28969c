import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { readPage } from '#api/modules/content/content.queries.ts'
import { type Ctx, type Failure, failure, isFailure, type MemberCtx } from '#api/platform/context.ts'
import type { Profile, ProfileChange } from '#contract/accounts.ts'
import type { Locale } from '#contract/enumerations.ts'
import type { SiteSettings } from '#contract/tenancy.ts'
import { appendConsents, changeMember, findMember, latestConsent } from './identity.queries.ts'

/** What would be right, in the reader's language. */
const words = {
  phone: {
    en: 'Enter a valid phone number. For numbers from abroad, include the country code, such as +82 10 1234 5678.',
    ko: '올바른 전화번호를 입력해 주세요. 해외 번호는 +1 213 373 4253처럼 국가 번호부터 입력해 주세요.',
    ja: '正しい電話番号を入力してください。海外の番号は +82 10 1234 5678 のように国番号から入力してください。',
    ar: 'أدخل رقم هاتف صحيحًا، مع رمز الدولة إن كان من خارجها، مثل ‎+82 10 1234 5678.',
  },
  name: {
    en: 'Enter a name without line breaks or invisible characters.',
    ko: '줄바꿈이나 보이지 않는 문자가 없는 이름을 입력해 주세요.',
    ja: '改行や目に見えない文字を含まない名前を入力してください。',
    ar: 'أدخل اسمًا من دون أسطر جديدة أو رموز غير مرئية.',
  },
  nameNeeded: {
    en: 'Add your name to your profile.',
    ko: '프로필에 이름을 입력해 주세요.',
    ja: '会員情報に名前を登録してください。',
    ar: 'أضف اسمك إلى ملفك الشخصي.',
  },
  phoneNeeded: {
    en: 'Add your phone number to your profile.',
    ko: '프로필에 전화번호를 입력해 주세요.',
    ja: '会員情報に電話番号を登録してください。',
    ar: 'أضف رقم هاتفك إلى ملفك الشخصي.',
  },
  passwordIsEmail: {
    en: 'Choose a password that is different from your email address.',
    ko: '이메일 주소와 다른 비밀번호를 입력해 주세요.',
    ja: 'メールアドレスとは異なるパスワードを設定してください。',
    ar: 'اختر كلمة مرور ليست هي بريدك الإلكتروني.',
  },
  passwordIsOld: {
    en: 'Choose a password that is different from your current one.',
    ko: '현재 비밀번호와 다른 비밀번호를 입력해 주세요.',
    ja: '現在とは異なるパスワードを設定してください。',
    ar: 'اختر كلمة مرور غير الحالية.',
  },
  wrongPassword: {
    en: 'Incorrect password. Enter the password you sign in with.',
    ko: '비밀번호가 올바르지 않아요. 로그인할 때 쓰는 비밀번호를 입력해 주세요.',
    ja: 'パスワードが違います。ログイン時のパスワードを入力してください。',
    ar: 'ليست هذه كلمة مرورك. أدخل التي تسجّل بها الدخول.',
  },
  wrongCode: {
    en: 'Incorrect code. Enter the 6-digit code from our latest email.',
    ko: '인증번호가 올바르지 않아요. 가장 최근 이메일의 인증번호 6자리를 입력해 주세요.',
    ja: '確認コードが違います。最新のメールにある6桁の数字を入力してください。',
    ar: 'ليس هذا هو الرمز. أدخل الأرقام الستة من أحدث رسالة.',
  },
  codeOver: {
    en: 'This code is no longer valid. Request a new one.',
    ko: '더 이상 쓸 수 없는 인증번호예요. 새로 요청해 주세요.',
    ja: 'この確認コードは無効になりました。新しいコードを再送してください。',
    ar: 'لم يعد هذا الرمز صالحًا. اطلب رمزًا آخر.',
  },
  fileName: {
    en: 'Use a file name of up to 255 characters.',
    ko: '파일 이름을 255자 이내로 변경해 주세요.',
    ja: 'ファイル名は255文字以内にしてください。',
    ar: 'أعطِ الملف اسمًا لا يتجاوز 255 حرفًا.',
  },
  locale: {
    en: 'Choose a language this store offers.',
    ko: '이 스토어에서 지원하는 언어를 선택해 주세요.',
    ja: 'このストアで使える言語から選んでください。',
    ar: 'اختر إحدى لغات هذا المتجر.',
  },
} satisfies Record<string, Record<Locale, string>>

export const fieldSentence = (language: Locale, sentence: keyof typeof words): string => words[sentence][language]

/** One field that is not right, with the sentence that says what would be. */
export const invalid = (
  language: Locale,
  field: string,
  sentence: keyof typeof words,
  more: Pick<Failure, 'data'> = {},
) => failure('VALIDATION_FAILED', { errors: { [field]: [words[sentence][language]] }, ...more })

/** The version of a page that is agreed to: when it was last written. A store without the page has none. */
export const pageVersion = async ({ db, customer }: Pick<Ctx, 'db' | 'customer'>, type: 'terms' | 'privacy') =>
  (await readPage(db, customer.id, type))?.updatedAt ?? 'none'

/** The country of a number that is written without one: where the store's money or, where many share it, the store's language is at home. */
const byCurrency: Record<string, CountryCode> = {
  ...{ KRW: 'KR', JPY: 'JP', USD: 'US', GBP: 'GB', CAD: 'CA', AUD: 'AU', NZD: 'NZ', SGD: 'SG', HKD: 'HK', TWD: 'TW' },
  ...{ AED: 'AE', SAR: 'SA', EGP: 'EG', QAR: 'QA', KWD: 'KW', MAD: 'MA', JOD: 'JO', INR: 'IN', CHF: 'CH', CNY: 'CN' },
}
const byLocale: Partial<Record<SiteSettings['base']['locale'], CountryCode>> = { ko: 'KR', ja: 'JP' }

/** A phone number as it is kept, E.164; null for what is none. */
export const readPhone = (written: string, { base }: SiteSettings): string | null => {
  const country = byCurrency[base.currency] ?? byLocale[base.locale]
  const number = parsePhoneNumberFromString(written.normalize('NFKC'), country)
  return number?.isValid() ? number.number : null
}

/** One line of letters that can be seen: no breaks, no controls, and nothing that turns the direction of what follows. */
export const isPlainLine = (text: string) => !/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u.test(text)

/** What the store knows of the member. `marketingAt` is when they last said yes or no. */
export const getProfile = async ({ customer, actor, db }: MemberCtx) => {
  const member = await findMember(db, customer.id, actor.memberId)
  if (!member) return failure('SESSION_EXPIRED')
  const marketing = await latestConsent(db, customer.id, actor.memberId, 'MARKETING')
  return {
    email: member.email,
    name: member.name,
    phone: member.phone,
    address: member.address,
    locale: member.locale as Locale | null,
    marketing: member.marketing,
    marketingAt: marketing?.at ?? null,
    createdAt: member.createdAt,
  } satisfies Profile
}

/** Changes what is given and leaves the rest. A yes or no to marketing is kept as evidence, with its time and version. */
export const changeProfile = async (ctx: MemberCtx, input: ProfileChange, language: Locale) => {
  const { customer, actor, db, clock } = ctx
  const values = valuesOf(ctx, input, language)
  if (isFailure(values)) return values
  const member = await findMember(db, customer.id, actor.memberId, { lock: true })
  if (!member) return failure('SESSION_EXPIRED')
  if (Object.keys(values).length > 0) await changeMember(db, customer.id, actor.memberId, values)
  if (input.marketing !== undefined && input.marketing !== member.marketing)
    await appendConsents(db, customer.id, actor.memberId, [
      {
        type: 'MARKETING',
        version: await pageVersion(ctx, 'privacy'),
        granted: input.marketing,
        at: clock.now().toISOString(),
      },
    ])
  return getProfile(ctx)
}

const valuesOf = ({ customer }: MemberCtx, input: ProfileChange, language: Locale) => {
  const { name, phone, address, locale, marketing } = input
  if (name !== undefined && !isPlainLine(name)) return invalid(language, 'name', 'name')
  if (locale !== undefined && !customer.settings.base.locales.includes(locale))
    return invalid(language, 'locale', 'locale')
  const kept = typeof phone === 'string' ? readPhone(phone, customer.settings) : phone
  if (typeof phone === 'string' && kept === null) return invalid(language, 'phone', 'phone')
  return {
    ...(name !== undefined && { name }),
    ...(kept !== undefined && { phone: kept }),
    ...(address !== undefined && { address: address && { ...address, detail: address.detail ?? '' } }),
    ...(locale !== undefined && { locale }),
    ...(marketing !== undefined && { marketing }),
  }
}

/** The form an e-mail address is found by: two spellings of one mailbox are one member. */
export const lowerEmail = (email: string) => email.trim().normalize('NFKC').toLowerCase()
